import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { commands } from '../../../server/cli/commands.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { runStreamgate } from '../../support/run-streamgate.js';
import { suitePostgres } from '../../support/suite-postgres.js';

/** A call of each command that works on existing data. */
const CALLS: readonly string[] = [
  'dashboard',
  'account list',
  'account limits',
  'account limits --max-sessions 5',
  'secret create',
  'secret show',
  'secret refresh',
  'secret delete',
  'key create --name a --scope read',
  'key list',
  'key update key_0123456789ab --name a',
  'key rotate key_0123456789ab',
  'key revoke key_0123456789ab',
  'token create publish',
  'token list publish',
  'token import publish TABLE',
  'token show 1',
  'token update 1 --label x',
  'token disable 1 2',
  'token enable 1 2',
  'token refresh 1',
  'token block 1 192.0.2.66',
  'token unblock 1 192.0.2.66',
  'token delete 1',
  'sign 1 --stream a --expires 60',
  'explain subscribe keynote',
  'refusals',
  'refusals groups',
  'refusals unknown-account',
  'audit',
  'session list keynote',
  `session show keynote ${'0'.repeat(32)}`,
  'member list',
  'member invite --name a --role owner',
  `member link mem_${'0'.repeat(12)}`,
  `member update mem_${'0'.repeat(12)} --name a`,
  `member remove mem_${'0'.repeat(12)}`,
  `member passkeys mem_${'0'.repeat(12)}`,
  `member reset-sign-in mem_${'0'.repeat(12)}`,
  'theme show',
  'theme set --name a',
  'theme reset',
  'schedule list',
  `schedule show ${'0'.repeat(22)}`,
  'schedule add --stream a --title a --start 2026-12-05T20:00:00Z',
  `schedule change ${'0'.repeat(22)} --title b`,
  `schedule remove ${'0'.repeat(22)}`,
  'upstream list',
  'upstream set --software mediamtx --publish-url https://mtx.example/{name}/whip --view-url https://mtx.example/{name}/whep --status-url https://api.mtx.example/{name}',
  'upstream remove',
  'webhook list',
  'webhook show 1',
  'webhook add https://receiver.example/ --event stream.started',
  'webhook change 1 --active false',
  'webhook rotate 1',
  'webhook test 1',
  'webhook deliveries 1',
  'webhook replay 1 1',
  'webhook remove 1',
  'account recording',
  'recording list',
  `recording show ${'0'.repeat(22)}`,
  `recording keep ${'0'.repeat(22)} --until 2030-01-01T00:00:00Z`,
  `recording delete ${'0'.repeat(22)}`,
  'login list',
  `login end ses_${'0'.repeat(12)}`,
  'login end all',
  'stats streams',
  'stats stream keynote',
  'stats tokens',
  'stats token 1',
  'stats usage',
  'backup BACKUP',
  'move --to postgres://nobody@127.0.0.1:9/nowhere',
];

/** Commands that create the data, or call the running server. */
const OTHERS = [
  'serve',
  'stream record',
  'stream unrecord',
  'stream clip',
  'recording link',
  'recording finish',
  'recording clip',
  'account create',
  'token live',
  'stream live',
  'stream still',
  'stream stop',
  'stream stop all',
  'session stop',
  'token sessions',
];

describe('a command in a folder without data', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  let folder: string;

  beforeEach(async () => {
    folder = await dataFolder(cleanup);
  });
  afterEach(() => cleanup.run());

  const answerOf = async (call: string, env: Record<string, string>) => {
    const files: Readonly<Record<string, string>> = { BACKUP: join(folder, 'backup.db'), TABLE: import.meta.filename };
    const argv = call.split(' ').map((word) => files[word] ?? word);
    const { status, stdout } = await runStreamgate(env, ...argv, '--json');
    return { status, ...JSON.parse(stdout).data };
  };

  it('is tested for every command', () => {
    const called = commands.filter(({ name }) => CALLS.some((call) => call === name || call.startsWith(`${name} `)));
    assert.deepEqual(
      [...called.map(({ name }) => name), ...OTHERS].toSorted(),
      commands.map(({ name }) => name).toSorted(),
    );
  });

  for (const call of CALLS) {
    it(`streamgate ${call} creates no database, and names the folder and what to do`, async () => {
      const { status, code, message } = await answerOf(call, { DATA_DIR: folder });
      assert.deepEqual([status, code], [1, 'no_data']);
      assert.ok(message.includes(folder), message);
      assert.match(message, /set DATA_DIR .*npx streamgate/);
      assert.deepEqual(await readdir(folder), []);
    });
  }

  it('creates no folder either', async () => {
    const missing = join(folder, 'missing');
    assert.equal((await answerOf('account list', { DATA_DIR: missing })).code, 'no_data');
    assert.equal(existsSync(missing), false);
  });

  it('treats an empty file as no database', async () => {
    await writeFile(join(folder, 'streamgate.db'), '');
    for (const call of ['account list', 'backup BACKUP']) {
      assert.equal((await answerOf(call, { DATA_DIR: folder })).code, 'no_data', call);
    }
    assert.deepEqual(await readdir(folder), ['streamgate.db']);
  });

  it('is possible for account create, which creates the database', async () => {
    const env = { DATA_DIR: join(folder, 'new') };
    assert.equal((await answerOf('account create first', env)).id, 'first');
    assert.equal((await answerOf('token create publish', env)).Id, 1);
    const backup = await answerOf('backup BACKUP', env);
    assert.deepEqual([backup.status, backup.accounts, backup.tokens], [0, 1, 1]);
  });

  it('does not back up a file that is not our database', async () => {
    const file = join(folder, 'streamgate.db');
    await mkdir(join(folder, 'backups'));
    await writeFile(file, 'this is a letter to somebody, and not a database at all'.repeat(20));
    assert.equal((await answerOf('backup BACKUP', { DATA_DIR: folder })).code, 'backup_failed');
  });

  it('creates no table in a PostgreSQL database', async () => {
    const url = await postgres.newDatabase();
    const env = { DATA_DIR: folder, DATABASE_URL: url };
    const tables = async () => {
      const client = new pg.Client(url);
      await client.connect();
      const { rowCount } = await client.query(`select 1 from information_schema.tables where table_schema = 'public'`);
      await client.end();
      return rowCount;
    };
    const { code, message } = await answerOf('account list', env);
    assert.equal(code, 'no_data');
    assert.match(message, /DATABASE_URL/);
    assert.equal(await tables(), 0);
    assert.equal((await answerOf('account create first', env)).id, 'first');
    assert.equal((await answerOf('account list', env))[0].id, 'first');
  });
});
