import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Broadcaster } from '../../src/client/broadcaster/broadcaster.js';
import { Viewer } from '../../src/client/viewer/viewer.js';
import { mediaProcesses } from '../e2e/support/media-processes.js';
import { Cleanup } from '../support/cleanup.js';
import { NodeBrowser, nodeCamera, type NodeStats } from '../support/client/node-browser.js';
import { LossyNetwork } from '../support/media/lossy-network.js';
import { until } from '../support/media/until.js';
import { RestTokens } from '../support/rest-tokens.js';
import { startServer, type ServerProcess } from '../support/server-process.js';

/** The media processes that run, by their ports. */
function runningMedia(server: ServerProcess): ReadonlyMap<number, number> {
  // It fails while there is none.
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' }).stdout;
  const pids = new Set(children.trim().split(/\s+/).map(Number));
  return new Map([...mediaProcesses(server)].filter(([, pid]) => pids.has(pid)));
}

/** Clients that may not lose their connection wait longer for what a busy machine does late. */
const PATIENT = { clockRate: 1 / 4 };
/** Clients that are to lose it are sooner sure of it, and sooner back. */
const HASTY = { clockRate: 4 };

/** A viewer, and the phases it was in. */
class WatchingViewer {
  readonly viewer = new Viewer();
  readonly phases: string[] = [];

  constructor() {
    this.viewer.addEventListener('phasechange', () => this.phases.push(this.viewer.phase.name));
  }

  async stats(): Promise<NodeStats | undefined> {
    const stats = await this.viewer.getStats();
    return [...((stats as object as Map<string, NodeStats> | undefined)?.values() ?? [])][0];
  }

  get count(): number | undefined {
    return this.viewer.phase.name === 'live' ? this.viewer.phase.viewers : undefined;
  }
}

/** The clients of the package in Node, with real connections to a real server. */
describe('clients that reconnect by themselves', () => {
  const cleanup = new Cleanup();
  let server: ServerProcess;
  let tokens: RestTokens;
  let streamName = '';
  let names = 0;

  before(async () => {
    // The server keeps the name of a lost broadcaster for the shortest possible time.
    server = await startServer({ MEDIA_WORKERS: '2', RESUME_WITHIN_S: '1' });
    const { secret } = await server.cli('secret', 'create', '--account', 'main');
    tokens = new RestTokens(server.origin, String(secret));
  });
  after(() => server.stop());
  beforeEach(() => void (streamName = `stream-${(names += 1)}`));
  afterEach(() => cleanup.run());

  /** Goes live as soon as the name is free, with this number in the picture. */
  async function broadcast(number = 1): Promise<Broadcaster> {
    const broadcaster = new Broadcaster();
    cleanup.after(() => broadcaster.stop());
    const token = await tokens.publish(streamName);
    const options = { endpoint: server.origin, accountId: 'main', streamName, token, media: nodeCamera(number) };
    broadcaster.addEventListener('phasechange', () => {
      const { phase } = broadcaster;
      if (phase.name === 'rejected' && phase.reason === 'stream_in_use')
        setTimeout(() => broadcaster.start(options), 50);
    });
    broadcaster.start(options);
    await until('the broadcaster is live', () => broadcaster.phase.name === 'live');
    return broadcaster;
  }

  /** Every other viewer has no token. */
  async function watch(count: number): Promise<readonly WatchingViewer[]> {
    const token = await tokens.subscribe(streamName);
    await until('media flows', async () => (await director()).code !== 'stream_not_live');
    const viewers = Array.from({ length: count }, () => new WatchingViewer());
    cleanup.after(() => viewers.forEach(({ viewer }) => viewer.stop()));
    for (const [index, { viewer }] of viewers.entries()) {
      viewer.start({ endpoint: server.origin, accountId: 'main', streamName, token: index % 2 ? undefined : token });
    }
    return viewers;
  }

  async function director(): Promise<{ readonly code?: string }> {
    const response = await fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
    });
    return (await response.json()).data;
  }

  /** Waits until each viewer receives new pictures with this number. */
  async function allPlay(viewers: readonly WatchingViewer[], number = 1): Promise<void> {
    await Promise.all(
      viewers.map(async (each) => {
        const before = (await each.stats())?.packetsReceived ?? 0;
        await until(`a viewer receives picture ${number} (phases: ${each.phases.join()})`, async () => {
          const stats = await each.stats();
          const isNew = stats !== undefined && stats.packetsReceived !== before;
          return isNew && stats.number === number && each.viewer.phase.name === 'live';
        });
      }),
    );
  }

  /** Waits until each viewer has lost its connection. */
  const allLost = (viewers: readonly WatchingViewer[]) =>
    until('every viewer lost its connection', () => viewers.every(({ phases }) => phases.includes('reconnecting')));

  const allCounted = (viewers: readonly WatchingViewer[], broadcaster: Broadcaster) =>
    until('everybody knows the number of viewers', () => {
      const { phase } = broadcaster;
      const told = phase.name === 'live' ? phase.viewers : undefined;
      return [told, ...viewers.map(({ count }) => count)].every((count) => count === viewers.length);
    });

  const phasesOf = (viewers: readonly WatchingViewer[]) => new Set(viewers.flatMap(({ phases }) => phases));

  it('twenty viewers see each restart of a broadcaster, and none reconnects', async (t) => {
    NodeBrowser.open(t, PATIENT);
    let broadcaster = await broadcast(0);
    const viewers = await watch(20);
    await allPlay(viewers, 0);
    for (let number = 1; number <= 4; number++) {
      // As when its page crashes: the server is told nothing.
      broadcaster.leave();
      broadcaster = await broadcast(number);
      await allPlay(viewers, number);
    }
    await allCounted(viewers, broadcaster);
    const phases = phasesOf(viewers);
    assert.equal(phases.has('reconnecting') || phases.has('rejected'), false, [...phases].join());
  });

  it('twenty viewers and their broadcaster come back after every media process is killed', async (t) => {
    NodeBrowser.open(t, HASTY);
    const broadcaster = await broadcast();
    const viewers = await watch(20);
    await allPlay(viewers);
    for (const pid of runningMedia(server).values()) process.kill(pid, 'SIGKILL');
    await allLost(viewers);
    await allPlay(viewers);
    await allCounted(viewers, broadcaster);
    assert.equal(phasesOf(viewers).has('rejected'), false);
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`thirty viewers and their broadcaster come back after the server is restarted with ${signal}`, async (t) => {
      NodeBrowser.open(t, HASTY);
      const broadcaster = await broadcast();
      const viewers = await watch(30);
      await allPlay(viewers);
      const { fetch } = globalThis;
      let [calls, tries] = [0, 0];
      // Of the broadcaster, after a wait or because the name is not free yet.
      broadcaster.addEventListener('phasechange', () => {
        if (['reconnecting', 'rejected'].includes(broadcaster.phase.name)) tries += 1;
      });
      const counted = t.mock.method(globalThis, 'fetch', (...request: Parameters<typeof fetch>) => {
        calls += 1;
        return fetch(...request);
      });
      await server.restart(signal);
      await allLost(viewers);
      await allPlay(viewers);
      counted.mock.restore();
      await allCounted(viewers, broadcaster);
      assert.equal(phasesOf(viewers).has('rejected'), false);
      const waits = viewers.flatMap(({ phases }) => phases).filter((name) => name === 'reconnecting').length;
      // Each may ask once without a wait, when the server answers again.
      const most = waits + tries + viewers.length;
      assert.ok(calls <= most, `${calls} calls of the director after ${waits} waits and ${tries} tries`);
    });
  }

  it('say that a server hangs, and come back when it wakes', async (t) => {
    const pids = [server.pid, ...runningMedia(server).values()];
    const signalAll = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name));
    NodeBrowser.open(t, HASTY);
    const broadcaster = await broadcast();
    const viewers = await watch(2);
    await allPlay(viewers);
    t.after(() => signalAll('SIGCONT'));
    signalAll('SIGSTOP');
    await allLost(viewers);
    await until('the broadcaster says so', () => broadcaster.phase.name === 'reconnecting');
    signalAll('SIGCONT');
    await until('the broadcaster is live again', () => broadcaster.phase.name === 'live');
    await allPlay(viewers);
  });

  it('say that a media process hangs, and come back when the server has replaced it', async (t) => {
    NodeBrowser.open(t, HASTY);
    const broadcaster = await broadcast();
    const viewers = await watch(2);
    await allPlay(viewers);
    const hung = [...runningMedia(server).values()];
    for (const pid of hung) process.kill(pid, 'SIGSTOP');
    await allLost(viewers);
    await until('the server has replaced them', () => {
      const pids = [...runningMedia(server).values()];
      return pids.length === hung.length && pids.every((pid) => !hung.includes(pid));
    });
    await until('the broadcaster is live again', () => broadcaster.phase.name === 'live');
    await allPlay(viewers);
  });

  it('keep their session and the picture on another network', async (t) => {
    const browser = NodeBrowser.open(t, PATIENT);
    await until('both media processes run', () => runningMedia(server).size === 2);
    const networks: LossyNetwork[] = [];
    const ports = new Map<string, LossyNetwork>();
    cleanup.after(() => networks.forEach((network) => network.close()));
    for (const target of runningMedia(server).keys()) {
      const network = await LossyNetwork.open({ target });
      networks.push(network);
      ports.set(String(target), network);
    }
    browser.changeAnswer = (sdp) =>
      sdp.replaceAll(
        /(a=candidate:\S+ 1 UDP \d+ 127\.0\.0\.1) (\d+)/g,
        (_line, start, port) => `${start} ${ports.get(port)!.port}`,
      );
    const broadcaster = await broadcast();
    const viewers = await watch(2);
    await allPlay(viewers);
    const before = await Promise.all(viewers.map((each) => each.stats()));

    for (const network of networks) network.dropMappings();
    browser.goOnline();
    await allPlay(viewers);
    const after = await Promise.all(viewers.map((each) => each.stats()));
    assert.deepEqual(
      after.map((stats) => stats?.connection),
      before.map((stats) => stats?.connection),
    );
    assert.equal(phasesOf(viewers).has('reconnecting'), false);
    assert.equal(broadcaster.phase.name, 'live');
  });
});
