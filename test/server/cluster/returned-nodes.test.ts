import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { clusterNode } from '../../support/cluster.js';
import { until } from '../../support/media/until.js';
import { query } from '../../support/postgres.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { askDirector } from '../../support/stream-server.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

/** A node is lost after eight seconds. */
const HELD_S = 11;
const NOTICED_WITHIN_MS = 40_000;

describe('a server that the others took for lost, because the database did not take its heartbeats', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  it('tells them of its viewers again, who have been there all the time', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const a = await clusterNode(cleanup, databaseUrl);
    const b = await clusterNode(cleanup, databaseUrl);
    const limited = await a.token('subscribe', { maxSessions: 1 });
    const { viewer } = await websocketSessions(() => a).view({}, limited);
    const isFull = async () => {
      const { body } = await askDirector(b, 'subscribe', limited);
      return body.data.code === 'token_full';
    };
    await until('the other server counts the viewer', isFull);
    const held = query(
      databaseUrl,
      `do $$ begin
        perform from node where url = '${a.origin}' for update;
        perform pg_sleep(${HELD_S});
      end $$`,
    );
    await until('the other server forgets the viewer', async () => !(await isFull()), NOTICED_WITHIN_MS);
    await held;
    await until('the other server counts the viewer again', isFull, NOTICED_WITHIN_MS);
    assert.equal(viewer.socket.readyState, viewer.socket.OPEN);
  });
});
