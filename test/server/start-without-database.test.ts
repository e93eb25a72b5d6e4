import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/media/until.js';
import { query } from '../support/postgres.js';
import { sideBySide } from '../support/side-by-side.js';
import { suitePostgres } from '../support/suite-postgres.js';
import { TcpGate } from '../support/tcp-gate.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');
const PASSWORD = 'kept-to-ourselves';

describe('a server whose PostgreSQL is away at its start', () => {
  const postgres = suitePostgres();
  const beside = sideBySide();

  /** The address of a database at which nobody listens until `comeBack`. */
  const away = async (cleanup: Cleanup) => {
    const databaseUrl = await postgres.newDatabase();
    const port = await freePort();
    return {
      databaseUrl: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
      comeBack: () => TcpGate.open(cleanup, databaseUrl, port),
    };
  };

  /** Starts the built server as a process. */
  const start = async (cleanup: Cleanup, databaseUrl: string, env: Record<string, string> = {}) => {
    const port = await freePort();
    const url = new URL(databaseUrl);
    url.password = PASSWORD;
    const child = spawn(process.execPath, [COMMAND], {
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(port),
        MEDIA_UDP_PORT: '0',
        MEDIA_WORKERS: '1',
        DATA_DIR: await dataFolder(cleanup),
        DATABASE_URL: url.href,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    cleanup.after(async () => {
      child.kill('SIGTERM');
      await exited;
      assert.ok(!output.includes(PASSWORD), 'the password is in the output');
    });
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
      if (!response) return undefined;
      const { status, headers } = response;
      return { status, headers, data: JSON.parse(await response.text()).data };
    };
    return { child, exited, ask, output: () => output };
  };
  const lines = (output: string, text: string) => output.split('\n').filter((line) => line.includes(text)).length;

  beside('waits, says that it is not ready, and starts when it answers', async ({ cleanup }) => {
    const { databaseUrl, comeBack } = await away(cleanup);
    const { ask, output, child } = await start(cleanup, databaseUrl);
    await until('it listens', async () => (await ask('/healthz')) !== undefined);
    for (const path of ['/healthz', '/readyz']) {
      const answer = await ask(path);
      assert.deepEqual(
        [answer?.status, answer?.data.code, answer?.data.problems.length],
        [503, 'database_unavailable', 1],
        path,
      );
    }
    assert.equal((await ask('/livez'))?.status, 200, 'it is alive');
    const viewer = await ask('/api/director/subscribe', { method: 'POST', body: '{}' });
    assert.deepEqual([viewer?.status, Number(viewer?.headers.get('retry-after')) > 0], [503, true]);
    await until('it says that it waits', () => lines(output(), 'the database cannot be used yet') > 0);
    assert.match(output(), /"problem":"[^"]*ECONNREFUSED/);
    assert.equal(child.exitCode, null);

    await comeBack();
    await until('it is up', async () => (await ask('/healthz'))?.status === 200);
    await until('it says that it starts', () => lines(output(), 'the database answers') > 0);
    const problems = [...output().matchAll(/"problem":"([^"]*)"/g)].map(([, problem]) => problem);
    assert.equal(problems.length, new Set(problems).size, 'each problem is logged once');
    assert.equal(lines(output(), 'the database answers: the server starts'), 1);
  });

  beside('ends cleanly when it is stopped while it waits', async ({ cleanup }) => {
    const { databaseUrl } = await away(cleanup);
    const { child, exited, output } = await start(cleanup, databaseUrl);
    await until('it waits', () => output().includes('cannot be used yet'));
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null });
  });

  beside('ends with the reason when the time is over', async ({ cleanup }) => {
    const { databaseUrl } = await away(cleanup);
    const { exited, output } = await start(cleanup, databaseUrl, { DATABASE_WAIT_S: '1' });
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.match(output(), /the database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
  });

  beside('ends at once for a database that does not exist', async ({ cleanup }) => {
    const { exited, output } = await start(cleanup, postgres.adminUrl.replace(/postgres$/, 'nowhere'));
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.match(output(), /database "nowhere" does not exist/);
  });

  beside('ends at once for a user that may not log in, also after it has waited', async ({ cleanup }) => {
    const { databaseUrl, comeBack } = await away(cleanup);
    await query(postgres.adminUrl, 'create role stranger nologin');
    const url = new URL(databaseUrl);
    url.username = 'stranger';
    const { exited, output } = await start(cleanup, url.href);
    await until('it waits', () => output().includes('cannot be used yet'));
    await comeBack();
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.match(output(), /role "stranger" is not permitted to log in/);
  });
});
