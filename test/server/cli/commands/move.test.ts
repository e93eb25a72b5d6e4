import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { runStreamgate } from '../../../support/run-streamgate.js';

const PASSWORD = 'kept-to-ourselves';
/** What a slow move says meanwhile. */
const PROGRESS = /^(?:Copied|Compared): \d+ of \d+ rows\n/gm;

describe('streamgate move', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  let dataDir: string;
  let databaseUrl: string;
  beforeEach(async () => {
    dataDir = await dataFolder(cleanup);
    const url = new URL(await postgres.migratedDatabase());
    url.password = PASSWORD;
    databaseUrl = url.href;
    await runStreamgate({ DATA_DIR: dataDir }, 'account', 'create', 'acme');
    await runStreamgate({ DATA_DIR: dataDir }, 'token', 'create', 'publish', '--label', 'camera');
  });
  afterEach(() => cleanup.run());

  const move = async (env: Record<string, string>, ...args: string[]) => {
    const answer = await runStreamgate({ DATA_DIR: dataDir, ...env }, 'move', ...args);
    assert.ok(!`${answer.stdout}${answer.stderr}`.includes(PASSWORD), 'the password is in the output');
    return answer;
  };
  const tokenIn = async (env: Record<string, string>) => {
    const { stdout } = await runStreamgate({ ...env, DATABASE_URL: databaseUrl }, 'token', 'show', '1', '--json');
    return JSON.parse(stdout).data;
  };

  it('moves the data, and says what to copy and what to do next', async () => {
    const { stdout: before } = await runStreamgate({ DATA_DIR: dataDir }, 'token', 'show', '1', '--json');
    const { status, stdout, stderr } = await move({}, '--to', databaseUrl);
    assert.deepEqual([status, stderr.replaceAll(PROGRESS, '')], [0, '']);
    assert.match(stdout, /Accounts: 1, tokens: 1, rows: \d+\. All rows were read back and compared\./);
    assert.ok(stdout.includes(`copy ${join(dataDir, 'master.key')} to the data folder of each server`));
    assert.deepEqual(await tokenIn({ DATA_DIR: dataDir }), JSON.parse(before).data);
  });

  it('takes the database of DATABASE_URL, which no list of processes shows', async () => {
    const { status, stdout } = await move({ DATABASE_URL: databaseUrl }, '--json');
    const { data } = JSON.parse(stdout);
    assert.deepEqual([status, data.tables.token, data.keyFile], [0, 1, join(dataDir, 'master.key')]);
  });

  it('names ENCRYPTION_KEY if the tokens are encrypted with it', async () => {
    const env = { DATA_DIR: await dataFolder(cleanup), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
    await runStreamgate(env, 'account', 'create', 'acme');
    await runStreamgate(env, 'token', 'create', 'publish');
    const { stdout } = await move(env, '--to', databaseUrl);
    assert.match(stdout, /Give each server the same ENCRYPTION_KEY/);
    assert.match((await tokenIn({ ...env, DATA_DIR: await dataFolder(cleanup) })).Token, /^[0-9a-f]{64}$/);
    assert.ok(!stdout.includes(env.ENCRYPTION_KEY));
  });

  it('needs a database', async () => {
    const { status, stderr } = await move({});
    assert.equal(status, 2);
    assert.match(stderr, /^move needs --to, or the variable DATABASE_URL\n/);
  });

  it('refuses a URL of something else, without showing it', async () => {
    const { status, stderr } = await move({}, '--to', `mysql://user:${PASSWORD}@db/streamgate`);
    assert.equal(status, 2);
    assert.match(stderr, /^--to must be like postgres:/);
  });

  it('says why it was refused, with a code', async () => {
    await move({}, '--to', databaseUrl);
    const { status, stdout } = await move({}, '--to', databaseUrl, '--json');
    assert.deepEqual([status, JSON.parse(stdout).data.code], [1, 'database_not_empty']);
  });

  it('says why a database cannot be used', async () => {
    const url = databaseUrl.replace(/\/[^/]+$/, '/nowhere');
    const { status, stderr } = await move({}, '--to', url);
    assert.deepEqual(
      [status, stderr],
      [1, 'The PostgreSQL database cannot be used: database "nowhere" does not exist\n'],
    );
  });
});
