import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { ApiSecretService } from '../../../server/accounts/api-secret-service.js';
import { DashboardLogin } from '../../../server/accounts/dashboard-login.js';
import { withAccountContext } from '../../../server/cli/account-context.js';
import { readConfig } from '../../../server/config/config.js';
import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { SERVER_BUSY_TIMEOUT_MS } from '../../../server/store/sqlite/sqlite-database.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlApiSecretStore } from '../../../server/store/tables/sql-api-secret-store.js';
import { SqlDashboardLoginStore } from '../../../server/store/tables/sql-dashboard-login-store.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { putMigratedDatabase } from '../../support/database-template.js';
import { runStreamgate, runStreamgateProcess } from '../../support/run-streamgate.js';

describe('the command line', () => {
  const cleanup = new Cleanup();
  let folder: string;
  /** Stays open, as in a running server. */
  let db: Database;
  let secrets: ApiSecretService;
  let accounts: SqlAccountStore;

  beforeEach(async () => {
    folder = await dataFolder(cleanup);
    await putMigratedDatabase(folder);
    db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    secrets = new ApiSecretService(new SqlApiSecretStore(db));
    accounts = new SqlAccountStore(db);
    await accounts.create('main');
  });
  afterEach(() => cleanup.run());

  const streamgate = (args: readonly string[], env: Record<string, string> = {}) =>
    runStreamgate({ DATA_DIR: folder, ...env }, ...args);
  /** In a process of its own. */
  const started = (args: readonly string[], env: Record<string, string> = {}) =>
    runStreamgateProcess(folder, { DATA_DIR: folder, ...env }, ...args);
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await streamgate([...args, '--json']);
    assert.equal(stderr, '');
    return { status, ...JSON.parse(stdout) };
  };

  it('waits for the write of a server longer than a request of a server waits for that of another', async () => {
    const busyTimeoutOf = async (database: Database) =>
      (await sql<{ timeout: number }>`pragma busy_timeout`.execute(database)).rows[0]?.timeout;
    assert.equal(await busyTimeoutOf(db), SERVER_BUSY_TIMEOUT_MS);
    const command = await withAccountContext(readConfig({ DATA_DIR: folder }), (context) => busyTimeoutOf(context.db));
    assert.ok(command! >= 6 * SERVER_BUSY_TIMEOUT_MS);
  });

  it('creates, refreshes and deletes the secret of the only account, with effect at once on a running server', async () => {
    const created = await streamgate(['secret', 'create']);
    assert.equal(created.status, 0);
    assert.match(created.stdout, /^sg_[\w-]{43}\n$/);
    assert.match(created.stderr, /not shown again/);
    const first = created.stdout.trim();
    assert.equal(await secrets.verify(first), 'main');

    const again = await json('secret', 'create');
    assert.deepEqual([again.status, again.data.code], ['fail', 'secret_exists']);

    const { data } = await json('secret', 'refresh');
    assert.equal(data.accountId, 'main');
    assert.deepEqual([await secrets.verify(first), await secrets.verify(data.secret)], [undefined, 'main']);

    assert.equal((await streamgate(['secret', 'delete'])).status, 0);
    assert.equal(await secrets.verify(data.secret), undefined);
    assert.equal((await json('secret', 'delete')).data.code, 'secret_not_found');
  });

  it('requires --account if there are several accounts', async () => {
    assert.equal((await json('account', 'create', 'second')).data.id, 'second');
    assert.deepEqual((await streamgate(['account', 'list'])).stdout, 'main\nsecond\n');

    const unclear = await json('secret', 'create');
    assert.equal(unclear.data.code, 'account_ambiguous');
    assert.match(unclear.data.message, /main, second/);

    const { data } = await json('secret', 'create', '--account', 'second');
    assert.equal(await secrets.verify(data.secret), 'second');
    assert.equal((await json('secret', 'create', '--account', 'third')).data.code, 'account_not_found');
  });

  it('refuses an account id that exists or is invalid', async () => {
    assert.equal((await json('account', 'create', 'main')).data.code, 'account_exists');
    for (const id of ['a/b', 'a b', 'ä', 'x'.repeat(65), '']) {
      assert.equal((await json('account', 'create', id)).data.code, 'invalid_request');
    }
    assert.equal((await accounts.list()).length, 1);
  });

  it('creates a login link for the dashboard', async () => {
    const { stdout } = await streamgate(['dashboard'], { PUBLIC_URL: 'https://live.example.com' });
    const [, code] = /^https:\/\/live\.example\.com\/dashboard#code=([\w-]+)\n$/.exec(stdout) ?? [];
    const login = new DashboardLogin(new SqlDashboardLoginStore(db));
    assert.equal((await login.login(code!))?.accountId, 'main');
  });

  it('shows help', async () => {
    for (const args of [['help'], ['--help']]) {
      const { status, stdout } = await streamgate(args);
      assert.equal(status, 0);
      assert.match(stdout, /secret refresh \[--account ID\]/);
    }
  });

  it('exits with 2 and says where the help is if the command line is wrong', async () => {
    const wrong = await started(['nonsense']);
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /There is no command: nonsense\nstreamgate help lists/);
    for (const args of [
      ['secret'],
      ['secret', 'create', 'main'],
      ['account', 'create'],
      ['account', 'list', '--account', 'main'],
      ['--nonsense'],
    ]) {
      const { status, stderr, stdout } = await streamgate(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Usage: streamgate|streamgate help lists/);
    }
  });

  it('reports wrong settings, and does nothing', async () => {
    const { status, stderr } = await streamgate(['secret', 'create'], { PORT: 'x', LOG_LEVEL: 'loud' });
    assert.equal(status, 1);
    assert.match(stderr, /PORT: .*\n.*LOG_LEVEL: /);
  });

  it('reads settings from .env, where the environment takes precedence', async () => {
    await writeFile(join(folder, '.env'), 'PUBLIC_URL=https://file.example\n');
    assert.match((await started(['dashboard'])).stdout, /^https:\/\/file\.example\//);
    const over = await started(['dashboard'], { PUBLIC_URL: 'https://env.example' });
    assert.match(over.stdout, /^https:\/\/env\.example\//);
  });

  for (const variable of ['PORT', 'RTMP_PORT'])
    it(`exits with a message that names the variable if the port of ${variable} is in use`, async () => {
      const holder = createServer().listen(0, '127.0.0.1');
      cleanup.after(() => holder.close());
      await once(holder, 'listening');
      const { port } = holder.address() as AddressInfo;
      const free = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', LOG_LEVEL: 'silent' };
      const { status, stderr } = await started([], { ...free, [variable]: String(port) });
      assert.equal(status, 1);
      assert.equal(
        stderr,
        `port ${port} is in use, perhaps by another server: stop that server, or set ${variable} to another port\n`,
      );
    });

  for (const [env, fault] of [
    [{ HOST: '192.0.2.1' }, 'HOST: must be an address of this machine (it is "192.0.2.1")'],
    [
      { HOST: '127.0.0.1', MEDIA_HOST: '192.0.2.1' },
      'MEDIA_HOST: must be an address of this machine (it is "192.0.2.1")',
    ],
    [
      { HOST: '127.0.0.1', RTMP_HOST: '192.0.2.1' },
      'RTMP_HOST: must be an address of this machine (it is "192.0.2.1")',
    ],
    [
      { HOST: 'nowhere.invalid', MEDIA_HOST: '127.0.0.1' },
      'HOST: must be a host name that can be looked up (it is "nowhere.invalid")',
    ],
  ] as const) {
    it(`exits with the fault, and creates nothing: ${fault}`, async () => {
      const elsewhere = join(folder, 'elsewhere');
      const settings = { ...env, PORT: '0', MEDIA_UDP_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: elsewhere };
      const { status, stdout, stderr } = await started([], settings);
      assert.deepEqual([status, stdout], [1, '']);
      assert.equal(stderr, `The configuration cannot be used:\n  ${fault}\n`);
      assert.equal(existsSync(elsewhere), false);
    });
  }

  it('logs a warning about a variable that resembles a known one', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    cleanup.after(() => holder.close());
    await once(holder, 'listening');
    const PORT = String((holder.address() as AddressInfo).port);
    const env = { HOST: '127.0.0.1', PORT, MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', TRUSTED_PROXY: '10.0.0.1' };
    const { stdout } = await started([], env);
    assert.match(stdout, /"level":40,.*"variable":"TRUSTED_PROXY","meant":"TRUSTED_PROXIES"/);
    assert.ok(!stdout.includes('10.0.0.1'));
  });

  it('reports that there is no account, and how to create one', async () => {
    const empty = await dataFolder(cleanup);
    await (await openDatabase(empty)).destroy();
    const { status, stderr } = await streamgate(['secret', 'create'], { DATA_DIR: empty });
    assert.equal(status, 1);
    assert.ok(stderr.includes(`no account in ${empty}`), stderr);
    assert.match(stderr, /account create ID/);
  });
});
