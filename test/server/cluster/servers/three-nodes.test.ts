import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterProcess } from '../../../support/cluster.js';
import { AcknowledgedWrites } from '../../../support/crowd/acknowledged-writes.js';
import { BroadcastLog, Broadcaster, Watcher } from '../../../support/crowd/broadcasts.js';
import { BrowserViewers, type BrowserViewer } from '../../../support/crowd/browser-viewer.js';
import { until } from '../../../support/media/until.js';
import { query, startPostgres, type TestPostgres, type TestReplica } from '../../../support/postgres.js';
import type { ServerProcess } from '../../../support/server-process.js';
import { askDirector } from '../../../support/stream-server.js';
import { Switch } from '../../../support/switch.js';
import { TcpGate } from '../../../support/tcp-gate.js';

const STREAMS = ['north', 'south', 'west'] as const;
/** One of them is a page in Chromium. The others are peers that look at each packet. */
const VIEWERS_OF_EACH = 17;
/** A name is free after eight seconds, a viewer without media waits four, and the machine is busy. */
const BACK_WITHIN_MS = 90_000;
/** Of two seconds. */
const PACKETS = 20;
const PICTURES = 10;
/** How soon the load balancer in front of the servers notices that one is not ready. */
const BALANCES_MS = 500;

interface Node {
  readonly server: ServerProcess;
  /** Between the server and the database. */
  readonly gate: TcpGate;
}

// One cluster lives through all of it: each fault finds what the one before has left.
describe('three servers on one PostgreSQL, with two broadcasters for each name and viewers of each', () => {
  const cleanup = new Cleanup();
  const log = new BroadcastLog();
  let primary: TestPostgres;
  let replica: TestReplica;
  let databaseUrl: string;
  let nodes: readonly Node[];
  let secret: string;
  let writes: AcknowledgedWrites;
  const broadcasters: Broadcaster[] = [];
  const watchers: Watcher[] = [];
  const pages: BrowserViewer[] = [];
  /** By stream. */
  const watchToken = new Map<string, string>();

  before(async () => {
    primary = await startPostgres({ durable: true });
    cleanup.after(() => primary.stop());
    databaseUrl = await primary.newDatabase();
    replica = await primary.replica();
    cleanup.after(() => replica.stop());
    const started: Node[] = [];
    for (const _name of STREAMS) {
      const gate = await TcpGate.open(cleanup, databaseUrl);
      const server = await clusterProcess(gate.urlOf(databaseUrl), { RECORDINGS_DIR: 'off' });
      cleanup.after(() => server.stop());
      started.push({ server, gate });
    }
    nodes = started;
    const { cli } = nodes[0]!.server;
    secret = String((await cli('secret', 'create', '--account', 'main'))['secret']);
    const origins = nodes.map(({ server }) => server.origin);
    const browser = await BrowserViewers.open();
    cleanup.after(() => browser.close());
    const front = await loadBalancer(origins);
    for (const [index, streamName] of STREAMS.entries()) {
      const tokenOf = async (kind: string) =>
        String((await cli('token', 'create', kind, '--stream', streamName))['token']);
      const options = { origins, first: index, streamName };
      const token = await tokenOf('publish');
      for (const first of [index, index + 1]) {
        const broadcaster = new Broadcaster({ ...options, first, token }, log);
        broadcasters.push(broadcaster);
        cleanup.after(() => broadcaster.stop());
      }
      watchToken.set(streamName, await tokenOf('subscribe'));
      for (let first = 0; first < VIEWERS_OF_EACH - 1; first += 1) {
        const watcher = new Watcher({ ...options, first, token: watchToken.get(streamName)! }, log);
        watchers.push(watcher);
        cleanup.after(() => watcher.stop());
      }
      pages.push(await browser.watch(front.origin, streamName, watchToken.get(streamName)!));
    }
    writes = new AcknowledgedWrites(origins, secret);
    cleanup.after(() => writes.stop());
  });
  after(() => cleanup.run());

  /** An address that leads to a server that is ready. */
  const loadBalancer = async (origins: readonly string[]): Promise<Switch> => {
    const front = await Switch.open(origins[0]!);
    cleanup.after(() => front.close());
    const isReady = async (origin: string) =>
      (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(BALANCES_MS) }).catch(() => undefined))?.ok;
    const balance = async () => {
      for (const origin of origins) if (await isReady(origin)) return front.turnTo(origin);
    };
    const timer = setInterval(() => void balance(), BALANCES_MS);
    cleanup.after(() => clearInterval(timer));
    return front;
  };

  /** The viewers of each stream, as a server counts them. */
  const counts = async ({ server }: Node): Promise<unknown> => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${server.origin}/api/live`, { headers, signal: AbortSignal.timeout(2_000) });
    const { data } = await response.json();
    if (!response.ok) return data.code;
    return data.map((live: { streamName: string; viewers: number }) => `${live.streamName} ${live.viewers}`).toSorted();
  };
  const expected = STREAMS.map((name) => `${name} ${VIEWERS_OF_EACH}`).toSorted();

  /** Each viewer of these streams receives the broadcast for two more seconds. */
  const viewersWatch = async (streamNames: readonly string[]) => {
    const wanted = watchers
      .filter(({ options }) => streamNames.includes(options.streamName))
      .map((watcher) => [watcher, watcher.packets + PACKETS] as const);
    await until('viewers watch', () => wanted.every(([{ packets }, least]) => packets >= least), BACK_WITHIN_MS);
    for (const page of pages.filter(({ streamName }) => streamNames.includes(streamName))) await pageShows(page);
  };
  const pageShows = async (page: BrowserViewer) => {
    const before = (await page.seen()).pictures;
    let seen: unknown;
    const showsMore = async () => {
      const { pictures, phase } = await page.seen();
      seen = { pictures, phase };
      // A new connection may count from the beginning.
      return phase === 'live' && (pictures >= before + PICTURES || (pictures < before && pictures >= PICTURES));
    };
    await until('Chromium shows it', showsMore, BACK_WITHIN_MS).catch((cause: unknown) => {
      throw new Error(`Chromium shows ${page.streamName}: ${JSON.stringify(seen)} after ${before}`, { cause });
    });
  };
  const everybodyIsBack = async () => {
    const least = writes.ids.length + 10;
    await viewersWatch(STREAMS);
    for (const node of nodes) {
      let seen: unknown;
      const isRight = async () => {
        seen = await counts(node).catch(String);
        return JSON.stringify(seen) === JSON.stringify(expected);
      };
      await until('the counts are right', isRight, BACK_WITHIN_MS).catch((cause: unknown) => {
        throw new Error(`${node.server.origin} counts ${JSON.stringify(seen)}`, { cause });
      });
    }
    await until('changes are acknowledged', () => writes.ids.length >= least, BACK_WITHIN_MS);
  };
  afterEach(async () => {
    assert.deepEqual(log.overlaps(), [], 'broadcasts of one name at the same time');
    const ids = [...writes.ids];
    const rows = await query(
      nodes[0]!.gate.urlOf(databaseUrl),
      `select id::int from token where label = 'acknowledged'`,
    );
    const stored = new Set(rows.map(({ id }) => id));
    const lost = ids.filter((id) => !stored.has(id));
    assert.deepEqual(lost, [], 'acknowledged changes that are lost');
  });

  /** The server that has a stream, as these servers say. */
  const nodeOf = async (streamName: string, asked = nodes): Promise<Node> => {
    let found: Node | undefined;
    await until(
      `a server has ${streamName}`,
      async () => {
        const { body } = await askDirector(asked[0]!.server, 'subscribe', watchToken.get(streamName), {
          streamName,
          streamAccountId: 'main',
        });
        found = nodes.find(({ server }) => body.data.urls?.[0]?.includes(`:${new URL(server.origin).port}/`));
        return found !== undefined;
      },
      BACK_WITHIN_MS,
    );
    return found!;
  };
  const isElsewhere = async (streamName: string, from: Node) => {
    const others = nodes.filter((node) => node !== from);
    await until(
      'the stream is on another server',
      async () => (await nodeOf(streamName, others)) !== from,
      BACK_WITHIN_MS,
    );
    await viewersWatch([streamName]);
  };
  /** Of a server and its media processes. */
  const signal = ({ server }: Node, name: NodeJS.Signals) => {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
    for (const pid of [server.pid, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, name);
  };

  it('give each name to one broadcaster, and show it to its viewers', async () => {
    await everybodyIsBack();
    // A busy machine may make a client begin again. No two broadcasts are ever at the same time: see afterEach.
    assert.ok(log.count >= STREAMS.length);
  });

  it('go on when one is killed', async () => {
    const before = log.count;
    const { server } = await nodeOf('north');
    await server.restart('SIGKILL');
    await everybodyIsBack();
    assert.ok(log.count > before, 'its streams are broadcast again');
  });

  it('go on when one is paused past its lease, and when it wakes', async () => {
    const paused = await nodeOf('south');
    signal(paused, 'SIGSTOP');
    try {
      await isElsewhere('south', paused);
    } finally {
      signal(paused, 'SIGCONT');
    }
    await everybodyIsBack();
  });

  it('go on when one is cut from the database, and when it has it again', async () => {
    const cut = await nodeOf('west');
    cut.gate.close();
    try {
      await isElsewhere('west', cut);
    } finally {
      cut.gate.leadTo(databaseUrl);
    }
    await everybodyIsBack();
  });

  it('go on when all are restarted in turn', async () => {
    for (const { server } of nodes) {
      await server.restart();
      await until('it is ready', async () => (await fetch(`${server.origin}/healthz`)).ok);
    }
    await everybodyIsBack();
  });

  it('go on when PostgreSQL fails over to its replica', async () => {
    await primary.kill('SIGKILL');
    for (const { gate } of nodes) gate.close();
    await replica.promote();
    for (const { gate } of nodes) gate.leadTo(replica.adminUrl);
    await everybodyIsBack();
    // The names are claimed from it.
    const before = log.count;
    for (const broadcaster of broadcasters) broadcaster.leave();
    await until('each name is broadcast again', () => log.count >= before + STREAMS.length, BACK_WITHIN_MS);
    await everybodyIsBack();
  });
});
