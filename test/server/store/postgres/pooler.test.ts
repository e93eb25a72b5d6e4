import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { until } from '../../../support/media/until.js';
import { startPgbouncer } from '../../../support/pgbouncer.js';
import { sideBySide } from '../../../support/side-by-side.js';
import { askDirector, type TestServer } from '../../../support/stream-server.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { TcpGate } from '../../../support/tcp-gate.js';

describe('a server behind a connection pooler', () => {
  const postgres = suitePostgres();
  const beside = sideBySide();

  const pooler = (cleanup: Cleanup, mode: 'session' | 'transaction') =>
    startPgbouncer(cleanup, { adminUrl: postgres.adminUrl, mode });

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

  beside('works in session mode', async ({ cleanup }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { urlOf } = await pooler(cleanup, 'session');
    const server = await clusterNode(cleanup, urlOf(databaseUrl));
    assert.deepEqual((await health(server, '/readyz')).codes, []);
  });

  beside('is refused at its start in transaction mode, with the next step', async ({ cleanup }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { urlOf } = await pooler(cleanup, 'transaction');
    await assert.rejects(clusterNode(cleanup, urlOf(databaseUrl)), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'notifications_lost');
      assert.match(error.message, /PgBouncer.*session mode/);
      return true;
    });
  });

  beside(
    'notices transaction mode while it runs, relies on no token in its memory, and recovers',
    async ({ cleanup }) => {
      const databaseUrl = await postgres.migratedDatabase();
      const { urlOf } = await pooler(cleanup, 'transaction');
      const gate = await TcpGate.open(cleanup, databaseUrl);
      const here = await clusterNode(cleanup, gate.urlOf(databaseUrl));
      const there = await clusterNode(cleanup, databaseUrl);
      const scope = { accountId: 'main', kind: 'subscribe' } as const;
      const streams = [{ streamName: 'main', isRegex: false }];
      const { id, token: value } = await there.server.tokens.create(scope, { label: '', streams });
      await until('the token is known', async () => (await askDirector(here, 'subscribe', value)).status === 200);

      gate.close();
      gate.leadTo(urlOf(databaseUrl));
      const codes = async () => (await health(here, '/readyz')).codes;
      await until('it is not ready because of the pooler', async () => (await codes()).includes('notifications_lost'));
      assert.match(here.log.text, /"code":"notifications_lost"[^\n]*PgBouncer/);
      await until('the database answers', async () => (await health(here, '/healthz')).status === 200);
      const { status, message } = await health(here, '/readyz');
      assert.equal(status, 503);
      assert.match(message, /PgBouncer/);

      await there.server.tokens.update(scope, id, { isActive: false });
      assert.equal((await askDirector(here, 'subscribe', value)).status, 401);

      gate.close();
      gate.leadTo(databaseUrl);
      await until('it is ready', async () => (await codes()).length === 0);
    },
  );
});
