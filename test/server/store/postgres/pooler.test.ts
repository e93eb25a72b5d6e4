import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { until } from '../../../support/media/until.js';
import { startPgbouncer } from '../../../support/pgbouncer.js';
import { askDirector, type TestServer } from '../../../support/stream-server.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { TcpGate } from '../../../support/tcp-gate.js';

/** A heartbeat, its echo, and what a busy machine adds. */
const NOTICED_WITHIN_MS = 60_000;

describe('a server behind a connection pooler', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const pooler = (mode: 'session' | 'transaction') => startPgbouncer(cleanup, { adminUrl: postgres.adminUrl, mode });

  /** The status of an address of health, and its problems. */
  const health = async ({ origin }: TestServer, path: '/healthz' | '/readyz') => {
    const response = await fetch(`${origin}${path}`);
    const { data } = JSON.parse(await response.text());
    return {
      status: response.status,
      message: data.message,
      codes: data.problems.map(({ code }: { code: string }) => code),
    };
  };

  it('works in session mode', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const { urlOf } = await pooler('session');
    const server = await clusterNode(cleanup, urlOf(databaseUrl));
    assert.deepEqual((await health(server, '/readyz')).codes, []);
  });

  it('is refused at its start in transaction mode, with the next step', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const { urlOf } = await pooler('transaction');
    await assert.rejects(clusterNode(cleanup, urlOf(databaseUrl)), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'notifications_lost');
      assert.match(error.message, /PgBouncer.*session mode/);
      return true;
    });
  });

  it('notices transaction mode while it runs, relies on no token in its memory, and recovers', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const { urlOf } = await pooler('transaction');
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const here = await clusterNode(cleanup, gate.urlOf(databaseUrl));
    const there = await clusterNode(cleanup, databaseUrl);
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token: value } = await there.server.tokens.create(scope, { label: '', streams });
    await until('the token is known', async () => (await askDirector(here, 'subscribe', value)).status === 200);

    gate.close();
    gate.leadTo(urlOf(databaseUrl));
    await until(
      'it is not ready because of the pooler',
      async () => (await health(here, '/readyz')).codes.includes('notifications_lost'),
      NOTICED_WITHIN_MS,
    );
    assert.match(here.log.text, /"code":"notifications_lost"[^\n]*PgBouncer/);
    await until('the database answers', async () => (await health(here, '/healthz')).status === 200, NOTICED_WITHIN_MS);
    const { status, message } = await health(here, '/readyz');
    assert.equal(status, 503);
    assert.match(message, /PgBouncer/);

    await there.server.tokens.update(scope, id, { isActive: false });
    assert.equal((await askDirector(here, 'subscribe', value)).status, 401);

    gate.close();
    gate.leadTo(databaseUrl);
    await until('it is ready', async () => (await health(here, '/readyz')).codes.length === 0, NOTICED_WITHIN_MS);
  });
});
