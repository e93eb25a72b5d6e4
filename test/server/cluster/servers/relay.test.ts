import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Cleanup } from '../../../support/cleanup.js';
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
import type { ServerProcess } from '../../../support/server-process.js';
import { askDirector, TestClient } from '../../../support/stream-server.js';

const postgres = suitePostgres();
const cleanup = new Cleanup();
const { publish, view, goLive } = relayClients(cleanup);

async function startServers(owner: Cleanup, env: Record<string, string> = {}): Promise<RelayServers> {
  const databaseUrl = await postgres.migratedDatabase();
  return await relayServers(owner, [databaseUrl, databaseUrl, databaseUrl], env);
}

const countOf = ({ socket }: Pick<RelayViewer, 'socket'>): number | undefined =>
  socket.frames.findLast(({ name }) => name === 'viewercount')?.data.viewercount;

/** The media processes. */
function childrenOf({ pid }: ServerProcess): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return children.trim().split(/\s+/).filter(Boolean).map(Number);
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

  it('tell viewers on each that the broadcaster is lost for a moment, and how it ended, also those who come then', async () => {
    const publisher = await goLive({ all, tokens });
    const early = await view(all[1], tokens.subscribe);
    await watches(early);
    const newest = ({ socket }: Pick<RelayViewer, 'socket'>, event: string) =>
      socket.frames.findLast(({ name }) => name === event)?.data;
    publisher.stop();
    const isLost = (viewer: RelayViewer) => newest(viewer, 'interrupted')?.sourceIds.length === 1;
    await until('the early viewer is told', () => isLost(early));
    const late = await view(all[2], tokens.subscribe);
    await until('the late one too', () => isLost(late));
    publisher.send();
    for (const viewer of [early, late])
      await until('it is back', () => newest(viewer, 'interrupted')?.sourceIds.length === 0);

    await publisher.socket.command('unpublish');
    const over = { streamId: 'main/main', sourceId: null, declared: true };
    const endOf = async (told: () => { readonly endedOn?: number } | undefined) => {
      // These servers take a relay that ends for a loss at once, and hear the reason a moment later.
      await until('the end is told', () => told()?.endedOn !== undefined);
      const { endedOn, ...end } = told()!;
      assert.ok(Math.abs(Date.now() - endedOn!) < 30_000);
      return end;
    };
    for (const viewer of [early, late]) assert.deepEqual(await endOf(() => newest(viewer, 'inactive')), over);
    for (const server of all) {
      const viewer = await view(server, tokens.subscribe);
      assert.deepEqual(await endOf(() => newest(viewer, 'inactive')), over);
      const guest = new TestClient(new WebSocket(`${server.origin.replace('http', 'ws')}/ws/v2/sub`));
      await once(guest.socket, 'open');
      guest.command('await', { streamName: 'main', streamAccountId: 'main' }).catch(() => 'it leaves');
      assert.deepEqual(await endOf(() => newest({ socket: guest }, 'inactive')), over);
      guest.socket.close();
    }
  });

  it('disconnect a viewer there whose token is disabled', async () => {
    await goLive({ all, tokens });
    const { Id, Token } = await rest.create('subscribe_token', { streams: [{ streamName: 'main' }] });
    const viewer = await view(all[1], Token);
    await watches(viewer);
    await rest.update('subscribe_token', Id, { isActive: false });
    assert.equal((await viewer.socket.closed).code, 4010);
    const other = await view(all[1], tokens.subscribe);
    await until('only the other receives pictures', async () => {
      const seen = viewer.peer.received('video');
      await watches(other);
      return viewer.peer.received('video') === seen;
    });
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

  it('go on when the media process that receives the stream dies', async () => {
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    process.kill(childrenOf(all[1])[0]!, 'SIGKILL');
    await viewer.socket.closed;
    const again = async () => await view(all[1], tokens.subscribe).catch(() => undefined);
    let next = await again();
    await until('viewers are let in again', async () => (next ??= await again()) !== undefined);
    await watches(next!);
  });

  // The last: a server is not started again.
  it('go on from another when the one that has the stream is killed', async () => {
    await goLive({ all, tokens });
    const viewer = await view(all[1], tokens.subscribe);
    await watches(viewer);
    for (const pid of [all[0].pid, ...childrenOf(all[0])]) process.kill(pid, 'SIGKILL');
    await until('the name is free', () => isFree(all[2], tokens.publish));
    await publish(all[2], tokens.publish);
    await watches(viewer);
    assert.equal(viewer.events().includes('migrate'), false);
    all = [all[1], all[1], all[2]];
  });
});
