import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { ANSWER_MS, CALLS, postgresDialect, WAIT_MS } from '../../server/store/postgres/postgres-dialect.js';
import type { Cleanup } from '../support/cleanup.js';
import { until, within } from '../support/media/until.js';
import { query } from '../support/postgres.js';
import { sideBySide } from '../support/side-by-side.js';
import { ownSuitePostgres, suitePostgres } from '../support/suite-postgres.js';
import { askDirector, streamServer, TestClient, upgrade, type RefusedUpgrade } from '../support/stream-server.js';
import { TcpGate } from '../support/tcp-gate.js';
import { viewing, websocketSessions } from '../support/websocket-sessions.js';

/** Four times the time limits for a connection and for a response: for a busy machine. */
const BOUND_MS = 4 * (WAIT_MS + ANSWER_MS);
/** Many more calls at once than there are connections: if they waited for each other, they would take longer than that. */
const CALLS_AT_ONCE = 100;

const streams = [{ streamName: 'main', isRegex: false }];

describe('while PostgreSQL does not answer', () => {
  const postgres = suitePostgres();
  const silent = ownSuitePostgres();
  const whileItIsSilent = sideBySide(silent.freeze, silent.thaw);
  const beside = sideBySide();

  const open = async (cleanup: Cleanup, databaseUrl: string) => {
    // Time limits and retries use the real clock here, and the server goes by the clock of the database.
    const app = await streamServer(cleanup, { DATABASE_URL: databaseUrl }, { startsOn: Date.now() });
    const secret = await app.server.secrets.create('main');
    const call = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
      const asked = performance.now();
      const response = await fetch(app.origin + path, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = JSON.parse(await response.text());
      const { status, headers } = response;
      return { status, code: answer.data?.code, answer, headers, tookMs: performance.now() - asked };
    };
    return { ...app, call };
  };

  whileItIsSilent(
    'answers every call in time with database_unavailable, and recovers without a restart',
    async ({ cleanup, next }) => {
      const { server, call, token, log, ...app } = await open(cleanup, await silent.migratedDatabase());
      const scope = { accountId: 'main', kind: 'subscribe' } as const;
      const binding = await server.tokens.create(scope, { label: '', streams, bindIpsOnUsage: 1 });
      const viewer = await token('subscribe');
      const create = () => call('POST', '/api/subscribe_token', { label: 'x', streams });
      for (let turn = 0; turn < 3; turn += 1) assert.equal((await create()).status, 200);
      await next();

      const viewed = async (value: string) => {
        const asked = performance.now();
        const { status, body, headers } = await askDirector(app, 'subscribe', value);
        return { status, code: body.data.code, headers, tookMs: performance.now() - asked };
      };
      const answers = await Promise.all([
        ...Array.from({ length: CALLS_AT_ONCE }, () => create()),
        ...Array.from({ length: 5 }, () => call('GET', '/api/subscribe_token/list')),
        call('DELETE', `/api/subscribe_token/${binding.id}`),
        call('GET', '/api/refusals'),
        call('GET', '/api/audit'),
        viewed(binding.token),
      ]);
      for (const { status, code, headers, tookMs } of answers) {
        assert.deepEqual([status, code], [503, 'database_unavailable']);
        assert.ok(Number(headers.get('retry-after')) > 0);
        assert.ok(tookMs < BOUND_MS, `${tookMs} ms`);
      }
      // A known token is admitted or answered with database_unavailable, and never refused as wrong.
      const { status, tookMs } = await viewed(viewer);
      assert.ok([200, 503].includes(status) && tookMs < BOUND_MS, `${status} after ${tookMs} ms`);
      const health = await call('GET', '/healthz');
      assert.deepEqual([health.status, health.code, health.answer.data.up], [503, 'database_unavailable', false]);
      await next();

      await until('calls are answered again', async () => (await create()).status === 200);
      await until('viewers are let in', async () => (await viewed(binding.token)).status === 200);
      assert.deepEqual((await call('GET', '/healthz')).answer.data, { up: true, problems: [] });

      const logged = log.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const outages = logged.filter(({ code }) => code === 'database_unavailable');
      assert.equal(outages.filter(({ level }) => level === 50).length, 1, 'the outage is logged once');
      const [over, ...more] = outages.filter(({ msg }) => msg === 'the database works again');
      assert.ok(over.lastedMs >= 0 && more.length === 0, 'and that it is over, once');
    },
  );

  whileItIsSilent('notices that it receives no changes, also without any call', async ({ cleanup, next }) => {
    const { call, log } = await open(cleanup, await silent.migratedDatabase());
    await next();
    await until('it is logged', () => log.text.includes('database_unavailable'));
    assert.equal((await call('GET', '/healthz')).status, 503);
    await next();
    await until('it is over', () => log.text.includes('the database works again'));
    assert.equal((await call('GET', '/healthz')).status, 200);
  });

  whileItIsSilent(
    'lets no session resume with a token that may have changed, and answers that clients should try again',
    async ({ cleanup, next }) => {
      const app = await open(cleanup, await silent.migratedDatabase());
      const token = await app.token('subscribe');
      const { view, resume } = websocketSessions(() => app);
      const { answer } = await view({}, token);
      await next();
      // The director may be the first to refuse: it also asks which streams other servers have, over another connection.
      let { resumeToken } = answer;
      let refused: RefusedUpgrade | undefined;
      await until('no session resumes', async () => {
        const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${resumeToken}`;
        const outcome = await upgrade(url);
        if (!(outcome instanceof TestClient)) refused = outcome;
        else ({ resumeToken } = (await outcome.command('view', viewing)).data);
        return refused !== undefined;
      });
      assert.deepEqual([refused!.status, refused!.body.data.code], [503, 'database_unavailable']);
      await next();

      await until('viewers are let in', async () => (await askDirector(app, 'subscribe', token)).status === 200);
      const again = (await view({}, token)).answer;
      assert.equal((await (await resume('sub', again.resumeToken)).command('view', viewing)).type, 'response');
    },
  );

  whileItIsSilent('can be closed', async ({ cleanup, next }) => {
    const databaseUrl = await silent.migratedDatabase();
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const { server, call } = await open(cleanup, gate.urlOf(databaseUrl));
    await call('POST', '/api/publish_token', {});
    await next();
    await server.close();
    await until('no socket keeps the process', () => gate.clients === 0);
  });

  whileItIsSilent('closes a connection that comes back while the others are closed', async ({ next }) => {
    const db = new Kysely({ dialect: postgresDialect(await silent.newDatabase(), CALLS) });
    let closed: Promise<void> | undefined;
    await db.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      await next();
      closed = db.destroy();
      await setImmediate();
    });
    await within('all are closed', closed!);
  });

  beside(
    'answers a create whose response was lost with an unknown outcome, and creates it once under its idempotency key',
    async ({ cleanup }) => {
      const databaseUrl = await postgres.migratedDatabase();
      const gate = await TcpGate.open(cleanup, databaseUrl);
      const { call } = await open(cleanup, gate.urlOf(databaseUrl));
      const create = () => call('POST', '/api/publish_token', { label: 'once' }, { 'idempotency-key': 'k' });
      gate.silentAfter = 'commit';
      const { status, answer } = await create();
      assert.deepEqual([status, answer.data.code, answer.data.outcome], [503, 'database_unavailable', 'unknown']);

      gate.silentAfter = undefined;
      await until('it is answered', async () => (await create()).status === 200);
      assert.equal((await call('GET', '/api/publish_token/list')).answer.total, 1);
    },
  );

  beside('reports a full disk until there is new space again', async ({ cleanup }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { call, log } = await open(cleanup, databaseUrl);
    await query(
      databaseUrl,
      `create function full_disk() returns trigger language plpgsql as $$
           begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
         create trigger full_disk before insert on token for each row execute function full_disk()`,
    );
    const create = () => call('POST', '/api/publish_token', {});
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, code } = await create();
      assert.deepEqual([status, code], [507, 'disk_full']);
    }
    const problems = async () => (await call('GET', '/healthz')).answer.data.problems;
    assert.deepEqual(
      (await problems()).map((problem: { code: string }) => problem.code),
      ['disk_full'],
    );
    await query(databaseUrl, 'drop trigger full_disk on token');
    assert.equal((await create()).status, 200);
    await until('the report ends', async () => (await problems()).length === 0);
    assert.equal(log.text.split('could not extend file').length - 1, 1, 'logged once');
  });

  beside('cancels a statement that waits for a lock, and keeps the connection', async ({ cleanup }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { call, log } = await open(cleanup, databaseUrl);
    const { answer } = await call('POST', '/api/publish_token', { label: 'a' });
    const blocker = new pg.Client({ connectionString: databaseUrl });
    await blocker.connect();
    cleanup.after(() => blocker.end());
    await blocker.query(`begin; update token set label = 'b'`);
    const { code } = await call('PUT', `/api/publish_token/${answer.data.Id}`, { label: 'c' });
    assert.equal(code, 'database_unavailable');
    assert.equal((await call('GET', `/api/publish_token/${answer.data.Id}`)).status, 200);
    assert.equal((await call('GET', '/healthz')).status, 200);
    assert.match(log.text, /the database was too slow for some calls/);
  });
});
