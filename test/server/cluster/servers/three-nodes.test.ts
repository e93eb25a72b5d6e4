import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterProcess } from '../../../support/cluster.js';
import { AcknowledgedWrites } from '../../../support/crowd/acknowledged-writes.js';
import { BroadcastLog, Broadcaster, Watcher } from '../../../support/crowd/broadcasts.js';
import { until } from '../../../support/media/until.js';
import { query, startPostgres, type TestPostgres, type TestReplica } from '../../../support/postgres.js';
import type { ServerProcess } from '../../../support/server-process.js';
import { askDirector } from '../../../support/stream-server.js';
import { TcpGate } from '../../../support/tcp-gate.js';
import { webhookReceiver } from '../../../support/webhook-receiver.js';

const STREAMS = ['north', 'south'] as const;
/** Peers that look at each packet. */
const VIEWERS_OF_EACH = 3;
/** A name is free after eight seconds, a viewer without media waits four, and the machine is busy. */
const BACK_WITHIN_MS = 90_000;
/** Of two seconds. */
const PACKETS = 20;

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
  /** By stream. */
  const watchToken = new Map<string, string>();

  before(async () => {
    primary = await startPostgres({ durable: true });
    cleanup.after(() => primary.stop());
    databaseUrl = await primary.newDatabase();
    replica = await primary.replica();
    cleanup.after(() => replica.stop());
    const started: Node[] = [];
    for (let count = 0; count < 3; count += 1) {
      const gate = await TcpGate.open(cleanup, databaseUrl);
      const server = await clusterProcess(gate.urlOf(databaseUrl), {
        RECORDINGS_DIR: 'off',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      });
      cleanup.after(() => server.stop());
      started.push({ server, gate });
    }
    nodes = started;
    const { cli } = nodes[0]!.server;
    secret = String((await cli('secret', 'create', '--account', 'main'))['secret']);
    const origins = nodes.map(({ server }) => server.origin);
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
      for (let first = 0; first < VIEWERS_OF_EACH; first += 1) {
        const watcher = new Watcher({ ...options, first, token: watchToken.get(streamName)! }, log);
        watchers.push(watcher);
        cleanup.after(() => watcher.stop());
      }
    }
    writes = new AcknowledgedWrites(origins, secret);
    cleanup.after(() => writes.stop());
  });
  after(() => cleanup.run());

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
  /** Of a server, and of its media processes. */
  const signal = ({ server }: Node, name: NodeJS.Signals, { withMedia }: { readonly withMedia: boolean }) => {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
    const media = children.trim().split(/\s+/).map(Number);
    for (const pid of [server.pid, ...(withMedia ? media : [])]) process.kill(pid, name);
  };

  it('give each name to one broadcaster, and show it to its viewers', async () => {
    await everybodyIsBack();
    // A busy machine may make a client begin again. No two broadcasts are ever at the same time: see afterEach.
    assert.ok(log.count >= STREAMS.length);
  });

  it('go on when two are paused past their leases, one without its media processes, and when they wake', async () => {
    const has = await nodeOf('north');
    const hadOther = await nodeOf('south');
    const alsoPaused = hadOther === has ? nodes.find((node) => node !== has)! : hadOther;
    const left = nodes.filter((node) => node !== has && node !== alsoPaused);
    signal(has, 'SIGSTOP', { withMedia: false });
    signal(alsoPaused, 'SIGSTOP', { withMedia: true });
    try {
      const isLeft = async (streamName: string) => (await nodeOf(streamName, left)) === left[0];
      for (const streamName of STREAMS) await until('the name is free', () => isLeft(streamName), BACK_WITHIN_MS);
      await viewersWatch(STREAMS);
    } finally {
      signal(has, 'SIGCONT', { withMedia: false });
      signal(alsoPaused, 'SIGCONT', { withMedia: true });
    }
    await everybodyIsBack();
    const noticed = () => has.server.output().includes('it stops its broadcasts');
    await until('it says that it could not keep its streams', noticed, BACK_WITHIN_MS);
  });

  it('go on when one is killed while PostgreSQL fails over to its replica, and tell webhooks of its loss', async () => {
    const receiver = await webhookReceiver(cleanup);
    const killed = await nodeOf('north');
    const { server } = killed;
    await server.cli('webhook', 'add', receiver.url, '--event', 'node.lost', '--event', 'node.returned');
    const before = log.count;
    const restarted = server.restart('SIGKILL');
    await primary.kill('SIGKILL');
    for (const { gate } of nodes) gate.close();
    await replica.promote();
    for (const { gate } of nodes) gate.leadTo(replica.adminUrl);
    await restarted;
    await everybodyIsBack();
    assert.ok(log.count > before, 'its streams are broadcast again');
    const told = () =>
      receiver.calls
        .map(({ body }) => JSON.parse(body))
        .flatMap(({ type, data }) => (data.url === server.origin ? [type] : []));
    await until('the webhook is told', () => told().length >= 2, BACK_WITHIN_MS);
    assert.deepEqual(told(), ['node.lost', 'node.returned']);
  });
});
