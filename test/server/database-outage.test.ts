import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import pg from 'pg';
import { DISK_CHECK_INTERVAL_MS } from '../../server/store/availability/database-monitor.js';
import { ANSWER_MS, WAIT_MS } from '../../server/store/postgres/postgres-dialect.js';
import { Cleanup } from '../support/cleanup.js';
import { until } from '../support/media/until.js';
import { query } from '../support/postgres.js';
import { suitePostgres } from '../support/suite-postgres.js';
import { askDirector, refusedUpgrade, streamServer } from '../support/stream-server.js';
import { viewing, websocketSessions } from '../support/websocket-sessions.js';

/**
 * Twice the time limits for a connection and for a response: for a busy machine. Calls that waited for each other would
 * take longer.
 */
const BOUND_MS = 2 * (WAIT_MS + ANSWER_MS);
/** Twice as long as it takes until a connection that is silent counts as lost. */
const NOTICED_WITHIN_MS = 15_000;

async function answerOf(connectionString: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ count: unknown }>(text)).rows[0]?.count;
  } finally {
    await client.end();
  }
}

const streams = [{ streamName: 'main', isRegex: false }];

describe('while PostgreSQL does not answer', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(async () => {
    await postgres.thaw();
    await cleanup.run();
  });

  const open = async () => {
    const databaseUrl = await postgres.migratedDatabase();
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
    return { ...app, databaseUrl, call };
  };

  it('answers every call in time with database_unavailable, and recovers without a restart', async () => {
    const { server, call, token, log, ...app } = await open();
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const binding = await server.tokens.create(scope, { label: '', streams, bindIpsOnUsage: 1 });
    const viewer = await token('subscribe');
    const create = () => call('POST', '/api/subscribe_token', { label: 'x', streams });
    for (let turn = 0; turn < 3; turn += 1) assert.equal((await create()).status, 200);

    await postgres.freeze();
    const viewed = async (value: string) => {
      const asked = performance.now();
      const { status, body, headers } = await askDirector(app, 'subscribe', value);
      return { status, code: body.data.code, headers, tookMs: performance.now() - asked };
    };
    // More calls at once than there are connections.
    const answers = await Promise.all([
      ...Array.from({ length: 25 }, () => create()),
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

    await postgres.thaw();
    await until('calls are answered again', async () => (await create()).status === 200, BOUND_MS);
    await until('viewers are let in', async () => (await viewed(binding.token)).status === 200, BOUND_MS);
    assert.deepEqual((await call('GET', '/healthz')).answer.data, { up: true, problems: [] });

    const logged = log.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const outages = logged.filter(({ code }) => code === 'database_unavailable');
    assert.equal(outages.filter(({ level }) => level === 50).length, 1, 'the outage is logged once');
    const [over, ...more] = outages.filter(({ msg }) => msg === 'the database works again');
    assert.ok(over.lastedMs >= 0 && more.length === 0, 'and that it is over, once');
  });

  it('notices that it receives no changes, also without any call', async () => {
    const { call, log } = await open();
    await postgres.freeze();
    await until('it is logged', () => log.text.includes('database_unavailable'), NOTICED_WITHIN_MS);
    assert.equal((await call('GET', '/healthz')).status, 503);
    await postgres.thaw();
    await until('it is over', () => log.text.includes('the database works again'), NOTICED_WITHIN_MS);
    assert.equal((await call('GET', '/healthz')).status, 200);
  });

  it('lets no session resume with a token that may have changed, and answers that clients should try again', async () => {
    const app = await open();
    const token = await app.token('subscribe');
    const { view, resume } = websocketSessions(() => app);
    const { answer } = await view({}, token);
    await postgres.freeze();
    await until(
      'the server knows that it may miss changes',
      async () => (await askDirector(app, 'subscribe', token)).status === 503,
      NOTICED_WITHIN_MS,
    );

    const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${answer.resumeToken}`;
    const { status, body } = await refusedUpgrade(url);
    assert.deepEqual([status, body.data.code], [503, 'database_unavailable']);

    await postgres.thaw();
    await until(
      'viewers are let in',
      async () => (await askDirector(app, 'subscribe', token)).status === 200,
      BOUND_MS,
    );
    const again = (await view({}, token)).answer;
    assert.equal((await (await resume('sub', again.resumeToken)).command('view', viewing)).type, 'response');
  });

  it('answers a create whose response was lost with an unknown outcome, and creates it once under its idempotency key', async () => {
    const { call, databaseUrl } = await open();
    await query(
      databaseUrl,
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
       create constraint trigger slow after insert on token deferrable initially deferred for each row execute function slow()`,
    );
    const create = () => call('POST', '/api/publish_token', { label: 'once' }, { 'idempotency-key': 'k' });
    const created = create();
    const commits = `select count(*) from pg_stat_activity where datname = current_database() and state = 'active' and query = 'commit'`;
    await until('it commits', async () => (await answerOf(databaseUrl, commits)) === '1');
    await postgres.freeze();
    const { status, answer } = await created;
    assert.deepEqual([status, answer.data.code, answer.data.outcome], [503, 'database_unavailable', 'unknown']);

    await postgres.thaw();
    await until('it is answered', async () => (await create()).status === 200);
    assert.equal((await call('GET', '/api/publish_token/list')).answer.total, 1);
  });

  it('reports a full disk until there is new space again', async () => {
    const { call, databaseUrl, log } = await open();
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
    await until('the report ends', async () => (await problems()).length === 0, 3 * DISK_CHECK_INTERVAL_MS);
    assert.equal(log.text.split('could not extend file').length - 1, 1, 'logged once');
  });

  it('can be closed', async () => {
    const { server, call } = await open();
    await call('POST', '/api/publish_token', {});
    await postgres.freeze();
    const started = performance.now();
    await server.close();
    assert.ok(performance.now() - started < BOUND_MS);
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    await until('no socket keeps the process', () => sockets() === 0);
  });

  it('cancels a statement that waits for a lock, and keeps the connection', async () => {
    const { call, databaseUrl, log } = await open();
    const { answer } = await call('POST', '/api/publish_token', { label: 'a' });
    const blocker = query(databaseUrl, `begin; update token set label = 'b'; select pg_sleep(4); rollback`);
    await until('it has the lock', async () => {
      const { code } = await call('PUT', `/api/publish_token/${answer.data.Id}`, { label: 'c' });
      return code === 'database_unavailable';
    });
    assert.equal((await call('GET', `/api/publish_token/${answer.data.Id}`)).status, 200);
    assert.equal((await call('GET', '/healthz')).status, 200);
    assert.match(log.text, /the database was too slow for some calls/);
    await blocker;
  });
});
