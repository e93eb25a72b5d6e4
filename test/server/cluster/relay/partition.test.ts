import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Cleanup } from '../../../support/cleanup.js';
import { until } from '../../../support/media/until.js';
import { call, relayClients, relayServers, watches } from '../../../support/relay-servers.js';
import { askDirector } from '../../../support/stream-server.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { TcpGate } from '../../../support/tcp-gate.js';

/** A server that could not show that it lives joins again, with pauses of up to two seconds, and asks for the stream. */
const BACK_WITHIN_MS = 60_000;

describe('a server that relays the stream of another, and is cut off from the database', () => {
  const postgres = suitePostgres();
  const cleanup = new Cleanup();
  const { view, goLive } = relayClients(cleanup);
  afterEach(() => cleanup.run());

  it('keeps its viewers, receives nothing meanwhile, and shows them the stream again when the database is back', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const servers = await relayServers(cleanup, [databaseUrl, gate.urlOf(databaseUrl), databaseUrl]);
    const { all, tokens } = servers;
    const publisher = await goLive(servers);
    const [viewer, other] = [await view(all[1], tokens.subscribe), await view(all[2], tokens.subscribe)];
    for (const each of [viewer, other]) await watches(each);
    gate.close();
    await until('the viewer is told', () => viewer.events().includes('inactive'));
    const seen = viewer.peer.received('video');
    const { status, body } = await askDirector(all[1], 'subscribe', tokens.subscribe, call);
    assert.deepEqual([status, body.data.code], [503, 'database_unavailable']);
    // The server that has the stream, and the viewers of a third, notice nothing.
    await watches(other);
    assert.equal(viewer.peer.received('video'), seen);

    gate.leadTo(databaseUrl);
    await watches(viewer, BACK_WITHIN_MS);
    assert.equal(viewer.socket.socket.readyState, WebSocket.OPEN);
    const told = viewer.events().filter((name) => ['active', 'inactive', 'migrate', 'stopped'].includes(name));
    // This client does not look elsewhere.
    assert.deepEqual(told, ['active', 'migrate', 'inactive', 'active']);
    assert.ok(!other.events().includes('inactive'));
    assert.ok(!publisher.socket.frames.some(({ name }) => name === 'stopped'));
  });
});
