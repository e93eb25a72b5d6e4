import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, afterEach, before, describe, it } from 'node:test';
import { EXPIRES_AFTER_MS } from '../../../../server/cluster/lease-times.js';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterProcess } from '../../../support/cluster.js';
import { until } from '../../../support/media/until.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import {
  call,
  relayClients,
  relayServers,
  watches,
  type RelayServers,
  type RelayViewer,
} from '../../../support/relay-servers.js';
import { RestTokens } from '../../../support/rest-tokens.js';
import type { ServerProcess } from '../../../support/server-process.js';
import { askDirector } from '../../../support/stream-server.js';

/** Viewers keep the last picture for longer than that. */
const RESUME_WITHIN_S = '90';

const postgres = suitePostgres();
const cleanup = new Cleanup();
const { publish, view, goLive } = relayClients(cleanup);

async function startServers(owner: Cleanup, env: Record<string, string> = {}): Promise<RelayServers> {
  const databaseUrl = await postgres.migratedDatabase();
  return await relayServers(owner, [databaseUrl, databaseUrl, databaseUrl], env);
}

const countOf = ({ socket }: Pick<RelayViewer, 'socket'>): number | undefined =>
  socket.frames.findLast(({ name }) => name === 'viewercount')?.data.viewercount;

function signal(server: ServerProcess, name: NodeJS.Signals): void {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  const pids = children.trim().split(/\s+/).filter(Boolean).map(Number);
  for (const pid of [server.pid, ...pids]) process.kill(pid, name);
}

const isFree = async (server: ServerProcess, publishToken: string): Promise<boolean> =>
  (await askDirector(server, 'publish', publishToken, call)).status === 200;

const isAt = (viewer: Pick<RelayViewer, 'url'>, { origin }: ServerProcess): boolean =>
  viewer.url.startsWith(`${origin.replace('http', 'ws')}/`);

describe('servers on one PostgreSQL that relay streams to each other', () => {
  const servers = new Cleanup();
  let all: RelayServers['all'];
  let tokens: RelayServers['tokens'];
  let rest: RelayServers['rest'];
  before(async () => {
    // Each test ends its stream, which no broadcaster comes back to.
    ({ all, tokens, rest } = await startServers(servers, { RESUME_WITHIN_S: '0' }));
  });
  afterEach(async () => {
    await cleanup.run();
    for (const server of all) {
      const hasEnded = async () => (await askDirector(server, 'subscribe', undefined, call)).status !== 200;
      await until('the stream has ended', hasEnded);
    }
  });
  after(() => servers.run());

  it('show a stream to a viewer where the viewer asks, and count the viewers of all of them', async () => {
    const publisher = await goLive({ all, tokens });
    const [home, edge, other] = [
      await view(all[0], tokens.subscribe),
      await view(all[1], tokens.subscribe),
      await view(all[2], tokens.subscribe),
    ];
    assert.deepEqual([isAt(home, all[0]), isAt(edge, all[1]), isAt(other, all[2])], [true, true, true]);
    for (const viewer of [home, edge, other]) await watches(viewer);
    for (const member of [publisher, home, edge, other]) {
      await until('three viewers are counted', () => countOf(member) === 3);
    }
    edge.socket.socket.terminate();
    edge.peer.close();
    await until('two are counted', () => countOf(publisher) === 2);
    await until('two are counted on the other', () => countOf(other) === 2);
  });

  it('show it to a viewer who waited for it on another server, without a move', async () => {
    const viewer = await view(all[1], tokens.subscribe);
    await goLive({ all, tokens });
    await watches(viewer);
    assert.deepEqual([isAt(viewer, all[1]), viewer.events().includes('migrate')], [true, false]);
  });

  it('end it everywhere at once when its publisher stops', async () => {
    const publisher = await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    await publisher.socket.command('unpublish');
    // Long before the viewer would be told that a lost publisher does not come back: after ten seconds.
    await until('the viewer is told', () => viewer.events().includes('inactive'), 8_000);
    const seen = viewer.peer.received('video');
    await until('the name is free', () => isFree(all[2], tokens.publish));
    await publish(all[2], tokens.publish);
    await until('it goes on from a third server', () => viewer.peer.received('video') > seen + 20);
  });

  it('disconnect a viewer there whose token is disabled', async () => {
    await goLive({ all, tokens });
    const { Id, Token } = await rest.create('subscribe_token', { streams: [{ streamName: 'main' }] });
    const viewer = await view(all[1], Token);
    await watches(viewer);
    await rest.update('subscribe_token', Id, { isActive: false });
    assert.equal((await viewer.socket.closed).code, 4010);
    const seen = viewer.peer.received('video');
    const other = await view(all[1], tokens.subscribe);
    await watches(other);
    assert.ok(viewer.peer.received('video') - seen < 5);
  });

  it('refuse who is no server of the database', async () => {
    await goLive({ all, tokens });
    const ask = async (body: object) => {
      const response = await fetch(`${all[0].origin}/api/relay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return [response.status, (await response.json()).data.code];
    };
    const pass = Buffer.from(JSON.stringify({ id: '1', streamId: 'main/main' })).toString('base64url');
    assert.deepEqual(
      await Promise.all([
        ask({ pass: '', offer: 'v=0' }),
        ask({ pass: 'a.b', offer: 'v=0' }),
        ask({ pass: `${pass}.${pass}`, offer: 'v=0' }),
        ask({ pass: 'x'.repeat(5_000), offer: 'v=0' }),
        ask({}),
      ]),
      [
        [401, 'relay_refused'],
        [401, 'relay_refused'],
        [401, 'relay_refused'],
        [400, 'invalid_request'],
        [400, 'invalid_request'],
      ],
    );
  });
});

describe('servers on one PostgreSQL that relay streams, of which one is lost', () => {
  let all: RelayServers['all'];
  let tokens: RelayServers['tokens'];
  afterEach(() => cleanup.run());

  const start = async (env: Record<string, string> = {}) => {
    ({ all, tokens } = await startServers(cleanup, env));
  };
  it('let the viewers of a server that is killed go on elsewhere before it counts as lost', async () => {
    await start();
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    signal(all[1], 'SIGKILL');
    const killedAt = performance.now();
    await viewer.socket.closed;
    const again = await view(all[2], tokens.subscribe);
    await until('pictures arrive', () => again.peer.received('video') > 0);
    const took = performance.now() - killedAt;
    assert.ok(took < EXPIRES_AFTER_MS, `it took ${Math.round(took)} ms`);
  });

  it('go on from another server when the one that has the stream is killed, and keep the last picture', async () => {
    await start({ RESUME_WITHIN_S });
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    signal(all[0], 'SIGKILL');
    await until('the name is free', () => isFree(all[2], tokens.publish));
    await publish(all[2], tokens.publish);
    await watches(viewer);
    assert.deepEqual([viewer.events().includes('inactive'), viewer.events().includes('migrate')], [false, false]);
  });

  it('go on from another server when the one that has the stream is stopped, and keep the last picture', async () => {
    await start();
    const publisher = await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    process.kill(all[0].pid, 'SIGTERM');
    await publisher.socket.closed;
    await until('the name is free', () => isFree(all[2], tokens.publish));
    await publish(all[2], tokens.publish);
    await watches(viewer);
    assert.deepEqual([viewer.events().includes('inactive'), viewer.events().includes('migrate')], [false, false]);
  });

  it('show the stream of one server, when the one that had it is paused past its lease and woken', async () => {
    await start({ RESUME_WITHIN_S });
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    cleanup.after(() => signal(all[0], 'SIGCONT'));
    signal(all[0], 'SIGSTOP');
    await until('the name is free', () => isFree(all[2], tokens.publish));
    const second = await publish(all[2], tokens.publish);
    await watches(viewer);
    signal(all[0], 'SIGCONT');
    await watches(viewer);
    // The second stops, so that whatever comes now is of the first.
    await second.socket.command('unpublish');
    await until('the viewer is told', () => viewer.events().includes('inactive'), 8_000);
    const seen = viewer.peer.received('video');
    await until('the first has noticed', () => all[0].output().includes('it stops its broadcasts'));
    assert.ok(viewer.peer.received('video') - seen < 5);
  });

  it('go on when the media process that receives the stream dies', async () => {
    await start();
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(all[1].pid)], { encoding: 'utf8' });
    process.kill(Number(children.trim().split(/\s+/)[0]), 'SIGKILL');
    await viewer.socket.closed;
    const again = async () => await view(all[1], tokens.subscribe).catch(() => undefined);
    let next = await again();
    await until('viewers are let in again', async () => (next ??= await again()) !== undefined);
    await watches(next!);
  });
});

describe('servers on one PostgreSQL without NODE_RELAY', () => {
  it('send viewers to the server that has the stream', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const [one, other] = [await clusterProcess(databaseUrl), await clusterProcess(databaseUrl)];
    for (const server of [one, other]) cleanup.after(() => server.stop());
    const { secret } = await one.cli('secret', 'create', '--account', 'main');
    const rest = new RestTokens(one.origin, String(secret));
    await publish(one, await rest.publish('main'));
    await until('it is live', async () => (await askDirector(other, 'subscribe', undefined, call)).status === 200);
    const viewer = await view(other, await rest.subscribe('main'));
    assert.ok(isAt(viewer, one));
    await cleanup.run();
  });
});
