import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { openDatabase } from '../../../../server/store/database.js';
import { moveData, type MoveProgress } from '../../../../server/store/move/move-data.js';
import { MoveError } from '../../../../server/store/move/move-error.js';
import { tablesOf } from '../../../../server/store/sqlite/folder-contents.js';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { dataFolder } from '../../../support/data-folder.js';
import { fillTables } from '../../../support/fill-tables.js';
import { query } from '../../../support/postgres.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { askDirector, streamServer } from '../../../support/stream-server.js';

const scope = { accountId: 'main', kind: 'subscribe' } as const;
const streams = [{ streamName: 'main', isRegex: false }];

describe('moving a data folder to PostgreSQL', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  let dataDir: string;
  let databaseUrl: string;
  beforeEach(async () => {
    dataDir = await dataFolder(cleanup);
    databaseUrl = await postgres.migratedDatabase();
  });
  afterEach(() => cleanup.run());

  const source = () => ({ dataDir, encryptionKey: undefined });
  const move = (onProgress?: (progress: MoveProgress) => void) =>
    moveData({ source: source(), databaseUrl, ...(onProgress && { onProgress }) });
  const refused = async (code: MoveError['code'], message = /./) => {
    await assert.rejects(move(), (error) => {
      assert.ok(error instanceof MoveError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  };
  /** Uses the folder with a server, which is closed again. */
  const withServer = async <Result>(
    act: (app: Awaited<ReturnType<typeof streamServer>>) => Promise<Result>,
    env: Record<string, string> = {},
  ): Promise<Result> => {
    const own = new Cleanup();
    try {
      return await act(await streamServer(own, { DATA_DIR: dataDir, ...env }, { startsOn: Date.now() }));
    } finally {
      await own.run();
    }
  };
  const rowsOf = async (text: string) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const inFolder = <Result>(read: (sqlite: DatabaseSync) => Result): Result => {
    const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'), { readOnly: true });
    try {
      return read(sqlite);
    } finally {
      sqlite.close();
    }
  };

  it('takes tokens, secrets and ids along, so that callers notice nothing', async () => {
    const { token, secret, id, deleted } = await withServer(async ({ server }) => {
      const created = await server.tokens.create(scope, {
        label: 'kept',
        streams,
        allowedOrigins: ['https://a.example'],
      });
      const last = await server.tokens.create(scope, { label: 'deleted', streams });
      await server.tokens.delete(scope, last.id);
      const apiSecret = await server.secrets.create('main');
      return { token: created.token, id: created.id, deleted: last.id, secret: apiSecret };
    });
    databaseUrl = await postgres.newDatabase();
    await move();

    await withServer(
      async (app) => {
        const list = await fetch(`${app.origin}/api/subscribe_token/${id}`, {
          headers: { authorization: `Bearer ${secret}` },
        });
        const { data } = JSON.parse(await list.text());
        assert.deepEqual([data.Id, data.Token, data.Label], [id, token, 'kept']);
        const answer = await askDirector(app, 'subscribe', token);
        assert.equal(answer.body.data.code, 'origin_not_allowed', 'the rules of the token came along');
        const next = await app.server.tokens.create(scope, { label: '', streams });
        assert.equal(next.id, deleted + 1, 'no id is used twice');
      },
      { DATABASE_URL: databaseUrl },
    );
  });

  it('copies every column of every table', async () => {
    await withServer(async () => {});
    fillTables(dataDir);
    const { tables } = await move();
    const names = inFolder(tablesOf).filter((name) => !/^kysely_|^schema_version$/.test(name));
    assert.deepEqual(Object.keys(tables).toSorted(), names.toSorted());
    for (const table of names) {
      const expected = inFolder((sqlite) => sqlite.prepare(`select * from "${table}"`).all());
      const found = await rowsOf(`select * from "${table}"`);
      assert.ok(expected.length > 0, table);
      const sorted = (rows: readonly object[]) => rows.map((row) => texts(row)).toSorted();
      assert.deepEqual(sorted(found), sorted(expected as object[]), table);
      assert.equal(tables[table], expected.length);
    }
    const disabled = await rowsOf(`select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`);
    assert.deepEqual(disabled, [], 'every trigger works again');
  });

  it('leaves the data folder as it is', async () => {
    await withServer(async () => {});
    fillTables(dataDir);
    const bytes = () => readFileSync(join(dataDir, 'streamgate.db'));
    const before = bytes();
    await move();
    assert.ok(before.equals(bytes()));
    const temporary = readdirSync(dataDir).filter((name) => /-(?:wal|shm)$/.test(name));
    assert.deepEqual(temporary, []);
  });

  it('reports its progress', async () => {
    await withServer(async () => {});
    const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'));
    const insert = sqlite.prepare(`insert into audit (account_id, time, actor_by, action, target_kind, target_id)
      values ('main', ?, 'cli', 'account_created', 'account', ?)`);
    sqlite.exec('begin');
    for (let row = 0; row < 5_000; row += 1) insert.run(row, `target ${row}`);
    sqlite.exec('commit');
    sqlite.close();
    const steps: MoveProgress[] = [];
    const { rows } = await move((progress) => steps.push(progress));
    const copied = steps.filter(({ step }) => step === 'copy');
    assert.deepEqual([copied.at(-1)?.rows, copied.at(-1)?.of], [rows, rows]);
    assert.ok(copied.length > 3 && steps.some(({ step }) => step === 'compare'));
  });

  it('replaces a NUL in a text, which PostgreSQL cannot store', async () => {
    await withServer(async () => {});
    const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'));
    sqlite
      .prepare(
        `insert into unknown_account_refusal (time, kind, stream_name, address, reason)
        values (1, 'publish', ?, '192.0.2.1', 'token_unknown')`,
      )
      .run('a\0b');
    sqlite.close();
    await move();
    assert.deepEqual(await rowsOf('select stream_name from unknown_account_refusal'), [{ stream_name: 'a\ufffdb' }]);
  });

  it('goes on where only a first start has been', async () => {
    await withServer(async ({ server }) => void (await server.tokens.create(scope, { label: 'kept', streams })));
    await withServer(async ({ server }) => void (await server.dashboard.createCode('main')), {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    });
    await move();
    assert.deepEqual(await rowsOf('select label from token'), [{ label: 'kept' }]);
    assert.deepEqual(await rowsOf('select * from dashboard_code'), [], 'the link of the other start is gone');
  });

  describe('is refused, and changes nothing', () => {
    beforeEach(() =>
      withServer(async ({ server }) => void (await server.tokens.create(scope, { label: 'a', streams }))),
    );

    const tokensMoved = async () => (await rowsOf('select count(*)::int as count from token'))[0].count;

    it('while a server uses the data folder', async () => {
      await withServer(() => refused('data_folder_in_use', /Stop the server/));
      await move();
    });

    it('while a command uses the data folder', async () => {
      const db = await openDatabase(dataDir);
      cleanup.after(() => db.destroy());
      await new SqlAccountStore(db).list();
      await refused('data_folder_in_use');
    });

    it('while a server uses the database', async () => {
      await clusterNode(cleanup, databaseUrl);
      await refused('database_in_use');
      assert.equal(await tokensMoved(), 0);
    });

    it('if the database has data', async () => {
      await move();
      await refused('database_not_empty');
      assert.equal(await tokensMoved(), 1);
    });

    it('if the database has another account', async () => {
      const db = await openDatabase('', databaseUrl);
      await new SqlAccountStore(db).create('acme');
      await db.destroy();
      await refused('database_not_empty');
    });

    it('with another key', async () => {
      databaseUrl = await postgres.newDatabase();
      const other = moveData({ source: { dataDir, encryptionKey: randomBytes(32) }, databaseUrl });
      await assert.rejects(other, { name: 'EncryptionKeyError' });
      assert.deepEqual(await rowsOf(`select 1 from information_schema.tables where table_name = 'token'`), []);
    });

    it('without the key file', async () => {
      rmSync(join(dataDir, 'master.key'));
      await assert.rejects(move(), { name: 'DataDirError' });
    });

    it('if the folder is of another version', async () => {
      const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'));
      sqlite.prepare(`delete from kysely_migration where name = (select max(name) from kysely_migration)`).run();
      sqlite.close();
      await refused('data_folder_version', /Start the server of this version/);
    });

    it('if the database stores other values, and can be tried again', async () => {
      // Fills the text up with spaces.
      await query(databaseUrl, 'alter table token_search alter column folded type char(500)');
      await refused('move_failed', /token_search/);
      assert.equal(await tokensMoved(), 0);
      await query(databaseUrl, 'alter table token_search alter column folded type text');
      await move();
      assert.equal(await tokensMoved(), 1);
    });

    it('if the database stores fewer rows', async () => {
      await query(databaseUrl, 'create rule nothing as on insert to token_search do instead nothing');
      await refused('move_failed', /token_search .*\(0 and 1\)/);
    });

    it('if a value does not fit, and names the table', async () => {
      const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'));
      sqlite.prepare('update token_search set added_on = 0.5').run();
      sqlite.close();
      await refused('move_failed', /token_search/);
    });

    it('if the connection breaks off, and can be tried again', async () => {
      const end = 'alter table token_search add constraint ends check (pg_terminate_backend(pg_backend_pid()))';
      await query(databaseUrl, end);
      await refused('move_failed');
      assert.equal(await tokensMoved(), 0);
      await query(databaseUrl, 'alter table token_search drop constraint ends');
      await move();
      assert.equal(await tokensMoved(), 1);
    });

    it('if there is no data folder', async () => {
      const missing = moveData({ source: { dataDir: join(dataDir, 'none'), encryptionKey: undefined }, databaseUrl });
      await assert.rejects(missing, { name: 'NoDataError' });
    });
  });

  it('takes along what a server that was killed has left in its log', async () => {
    const copy = await dataFolder(cleanup);
    await withServer(async ({ server }) => {
      await server.tokens.create(scope, { label: 'in the log', streams });
      cpSync(dataDir, copy, { recursive: true });
    });
    dataDir = copy;
    await move();
    assert.deepEqual(await rowsOf('select label from token'), [{ label: 'in the log' }]);
  });
});

/** The values of a row as text, by column: PostgreSQL gives its 64-bit integers as text. */
function texts(row: object): string {
  const cells = Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]);
  return JSON.stringify(cells.toSorted(([a], [b]) => String(a).localeCompare(String(b))));
}
