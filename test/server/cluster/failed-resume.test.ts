import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { clusterNode } from '../../support/cluster.js';
import { until } from '../../support/media/until.js';
import { query } from '../../support/postgres.js';
import { askDirector, openSocket } from '../../support/stream-server.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { publishing, websocketSessions } from '../../support/websocket-sessions.js';

const call = { streamName: 'main', streamAccountId: 'main' };

describe('a publisher who could not resume, because the database did not take the claim in time', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  it('does not keep the name when the time to resume is over', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const a = await clusterNode(cleanup, databaseUrl, { env: { RESUME_WITHIN_S: '5' } });
    const b = await clusterNode(cleanup, databaseUrl);
    const token = await a.token('publish');
    const { publisher, answer } = await websocketSessions(() => a).publish({ resumable: true }, {}, token);
    a.engine.sendFrame('main/main');
    const asked = async () => (await askDirector(b, 'publish', token, call)).body.data.code;
    await until('the other server knows the stream', async () => (await asked()) === 'stream_in_use');
    publisher.socket.terminate();
    const { sessionKey } = answer;
    const again = await openSocket(await askDirector(a, 'publish', token, { ...call, sessionKey }));
    const held = query(
      databaseUrl,
      `do $$ begin
        perform pg_advisory_lock(hashtextextended('main/main', 23));
        perform pg_sleep(4);
      end $$`,
    );
    const locks = `select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and granted`;
    await until('claims have to wait', async () => (await query(databaseUrl, locks)).length > 0);
    const refused = await again.command('publish', { ...publishing, resumable: true });
    assert.deepEqual([refused.type, refused.code], ['error', 'database_unavailable']);
    again.socket.terminate();
    await held;
    await until('the name is free', async () => (await asked()) === undefined);
  });
});
