import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../../server/config/config.js';
import { createStreamServer } from '../../../server/composition/stream-server.js';
import { endpoints } from '../../../server/http/endpoints/endpoints.js';
import { openDatabase } from '../../../server/store/database.js';
import { Cleanup } from '../../support/cleanup.js';
import {
  fillAccount,
  fillCluster,
  fillShared,
  rollUp,
  type FilledAccount,
  type FillOptions,
} from '../../support/damaged-database.js';
import { dataFolder } from '../../support/data-folder.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { until } from '../../support/media/until.js';
import {
  damagedPostgres,
  damagedSqlite,
  damagesOf,
  type Damage,
  type DamagedDatabase,
  type StoredTable,
} from '../../support/stored-columns.js';
import { query } from '../../support/postgres.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

/** With PostgreSQL, servers go by the clock of the database. */
const NOW = Date.now();
/** Each has the row in which one column is damaged, in one way. */
const DAMAGED_ACCOUNTS = 24;

/** The rows of the account that must notice nothing. Every other table has the account in its rows. */
const SPARED: Readonly<Record<string, string>> = {
  account: `id = 'other'`,
  token_stream: `token_id in (select id from token where account_id = 'other')`,
  token_bound_ip: `token_id in (select id from token where account_id = 'other')`,
  token_first_use: `token_id in (select id from token where account_id = 'other')`,
  token_expiry_notice: `token_id in (select id from token where account_id = 'other')`,
  webhook_delivery: `webhook_id in (select id from webhook where account_id = 'other')`,
  session_hour: `session_id in (select id from session where account_id = 'other')`,
  // They belong to no account.
  failed_attempt: 'false',
  used_challenge: 'false',
  recording_server: 'false',
  upstream_session: 'false',
  unknown_account_refusal: 'false',
  lost_node: 'false',
  relay_key: 'false',
  node: 'false',
};

/** What these say holds for the whole server, or they have no column but their key. */
const LISTED: ReadonlySet<string> = new Set([
  // Of the program that migrates.
  'kysely_migration',
  'kysely_migration_lock',
  'schema_version',
  // Whether the key is that of the database: test/server/store/keys/server-keys.contract.ts.
  'seal_check',
  'hour_to_roll_up',
]);

/** What a limit that cannot be read, and allows nothing, makes the server say of its own account. */
const OWN_WARNINGS: ReadonlySet<string> = new Set([
  'an account has used its space for recordings: nothing more is recorded',
]);

/** Sealed columns that are read when somebody logs in, repeats a call, or half a minute after the start. */
const READ_LATER: ReadonlySet<string> = new Set([
  'member_password code_secret_sealed',
  'token_create answer_sealed',
  'upstream_session session_sealed',
]);

type Receiver = Awaited<ReturnType<typeof webhookReceiver>>;

interface Filled {
  readonly other: FilledAccount;
  readonly damaged: readonly FilledAccount[];
}

interface Copy {
  readonly env: Record<string, string>;
  readonly database: DamagedDatabase;
}

async function fill(dataDir: string, databaseUrl: string | undefined, options: FillOptions): Promise<Filled> {
  const db = await openDatabase(dataDir, databaseUrl);
  try {
    if (databaseUrl === undefined) await sql`pragma synchronous = off`.execute(db);
    const other = await fillAccount(db, 0, 'other', options);
    const damaged: FilledAccount[] = [];
    for (let number = 1; number <= DAMAGED_ACCOUNTS; number += 1) {
      await fillShared(db, number, options);
      if (databaseUrl !== undefined) await fillCluster(db, number, `damaged-${number}`, options);
      damaged.push(await fillAccount(db, number, `damaged-${number}`, { ...options, receiver: 'http://127.0.0.1:9/' }));
    }
    await rollUp(db);
    return { other, damaged };
  } finally {
    await db.destroy();
  }
}

const lists = endpoints.filter(
  ({ method, access, path }) => method === 'get' && access === 'account' && !path.includes('{'),
);

/** What the server answers, without the times and without the id of the request. */
async function answerOf(origin: string, path: string, init: RequestInit): Promise<readonly [number, unknown]> {
  const response = await fetch(`${origin}${path}`, init);
  const text = await response.text();
  return [response.status, text.replaceAll(CHANGING, '')];
}

/** What differs between two looks. When a secret was used is written some time after its use. */
const CHANGING = /"requestId":"[^"]*"|"lastUsed(?:On|From)":(?:null|"[^"]*")|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

interface Seen {
  /** What the other account sees of the server. */
  readonly other: unknown;
  /** Answers of 500 to accounts with damaged rows. */
  readonly failed: readonly string[];
  /** Warnings and errors, except those of rows that cannot be read. */
  readonly warnings: ReadonlySet<string>;
  /** `table column` of the rows that were reported. */
  readonly reported: ReadonlySet<string>;
}

/** Starts a server on the database, and looks at it as the other account does. */
async function look({ env, database }: Copy, { other, damaged }: Filled, receiver: Receiver): Promise<Seen> {
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const before = receiver.calls.length;
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...env,
  });
  const server = await createStreamServer(config, {
    engine: new FakeEngine(),
    now: () => NOW,
    log: pino({ level: 'warn' }, destination),
  });
  try {
    const origin = `http://127.0.0.1:${(await server.listen()).port}`;
    const post = (path: string, token: string, body: object) =>
      answerOf(origin, path, { method: 'POST', headers: bearer(token), body: JSON.stringify(body) });
    const statusOf = async (path: string, token: string) =>
      (await post(path, token, { streamName: 'main', streamAccountId: 'other' }))[0];
    const listsOf = async (secret: string) =>
      await Promise.all(
        lists.map(async ({ path }) => {
          const [status, body] = await answerOf(origin, path, { headers: bearer(secret) });
          return [path, status, body] as const;
        }),
      );

    const decided = [
      await statusOf('/api/director/publish', other.publishToken),
      await statusOf('/api/director/subscribe', other.subscribeToken),
    ];
    const listed = await listsOf(other.secret);
    const cookie = { cookie: `streamgate_session=${other.session}` };
    const dashboard = await answerOf(origin, '/api/publish_token/list', { headers: cookie });
    const body = {
      streamName: 'elsewhere',
      software: 'srs',
      publishUrl: 'http://u.example/p',
      viewUrl: 'http://u.example/v',
      statusUrl: 'http://u.example/s',
    };
    const set = await answerOf(origin, '/api/upstreams', {
      method: 'PUT',
      headers: bearer(other.key),
      body: JSON.stringify(body),
    });
    const [tested] = await post(`/api/webhooks/${other.webhookId}/test`, other.secret, {});
    // What waited, the test, and the token that expires soon.
    await until('the webhook was called', () => receiver.calls.length >= before + 3);
    const failed = await Promise.all(
      damaged.map(async ({ id, secret }) =>
        (await listsOf(secret)).flatMap(([path, status]) => (status >= 500 ? [`${id} ${path}`] : [])),
      ),
    );
    await database.disableToken(other.subscribeTokenId);
    await until(
      'a change of another process is known',
      async () => (await statusOf('/api/director/subscribe', other.subscribeToken)) === 401,
    );
    const [ready] = await answerOf(origin, '/readyz', {});
    const isFault = ({ code }: Record<string, unknown>) => code === 'stored_row_unreadable';
    return {
      other: { decided, listed, dashboard, set, tested, types: receiver.types().slice(before).toSorted(), ready },
      failed: failed.flat(),
      warnings: new Set(
        log.filter((entry) => Number(entry['level']) >= 40 && !isFault(entry)).map(({ msg }) => String(msg)),
      ),
      reported: new Set(log.filter(isFault).map(({ table, column }) => `${String(table)} ${String(column)}`)),
    };
  } finally {
    await server.close();
  }
}

/** What is damaged at the same time: of each table one row for each column, in as many accounts. */
interface Round {
  readonly name: string;
  readonly damages: ReadonlyMap<StoredTable, readonly Damage[]>;
}

/** Damages each column of each table, and looks. */
async function checkAll(
  isSqlite: boolean,
  copy: () => Promise<Copy>,
  filled: Filled,
  receiver: Receiver,
): Promise<void> {
  const pristine = await copy();
  const stored = await pristine.database.tables();
  const tables = stored.filter(({ name, columns }) => !LISTED.has(name) && columns.length > 0);
  const rowsOf = new Map<StoredTable, number>();
  for (const table of tables) {
    const rows = await pristine.database.damage(table, sparedOf(table), []);
    assert.ok(rows > 0, `fill rows of ${table.name} in test/support/damaged-database.ts`);
    rowsOf.set(table, rows);
  }
  // Before the damage, all accounts are alike.
  const first = { ...filled, damaged: filled.damaged.slice(0, 1) };
  const expected = await look(pristine, first, receiver).finally(() => pristine.database.close());
  assert.deepEqual([expected.failed, [...expected.reported]], [[], []]);
  const reported = new Set<string>();
  const check = async ({ name, damages }: Round): Promise<void> => {
    const damaged = await copy();
    try {
      for (const [table, ofTable] of damages) await damaged.database.damage(table, sparedOf(table), ofTable);
      const seen = await look(damaged, filled, receiver);
      for (const column of seen.reported) reported.add(column);
      const warnings = [...seen.warnings].filter(
        (message) => !expected.warnings.has(message) && !OWN_WARNINGS.has(message),
      );
      assert.deepEqual(seen.other, expected.other);
      assert.deepEqual([name, seen.failed, warnings], [name, [], []]);
    } finally {
      await damaged.database.close();
    }
  };
  for (const round of roundsOf(rowsOf, isSqlite)) await check(round);
  const sealed = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => column.name.endsWith('_sealed')).map((column) => `${name} ${column.name}`),
  );
  assert.deepEqual(
    sealed.filter((column) => !reported.has(column) && !READ_LATER.has(column)),
    [],
    'sealed columns that nobody reported',
  );
}

const sparedOf = ({ name }: StoredTable): string => SPARED[name] ?? `account_id = 'other'`;

/** All damages of each table, as many at once as it has rows. */
function roundsOf(rowsOf: ReadonlyMap<StoredTable, number>, isSqlite: boolean): readonly Round[] {
  const rounds: Map<StoredTable, readonly Damage[]>[] = [];
  for (const [table, rows] of rowsOf) {
    const columns = table.columns.filter(({ name }) => name !== 'account_id');
    const all = columns.flatMap((column) => damagesOf(column.type, isSqlite).map((value) => ({ column, value })));
    const atOnce = Math.min(rows, DAMAGED_ACCOUNTS);
    for (let round = 0; round * atOnce < all.length; round += 1) {
      const some = all.slice(round * atOnce, (round + 1) * atOnce);
      (rounds[round] ??= new Map()).set(
        table,
        some.map(({ column, value }, row) => ({ column, row, value })),
      );
    }
  }
  return rounds.map((damages, round) => ({ name: `round ${round}`, damages }));
}

describe('a row that cannot be read', () => {
  const postgres = suitePostgres();
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());
  const encryptionKey = new Uint8Array(randomBytes(32));
  const ENCRYPTION_KEY = Buffer.from(encryptionKey).toString('base64');
  const options = (receiver: string): FillOptions => ({ encryptionKey, now: NOW, receiver });

  it('costs no other account anything, with SQLite', async () => {
    const receiver = await webhookReceiver(cleanup);
    const folder = await dataFolder(cleanup);
    const filled = await fill(folder, undefined, options(receiver.url));
    const copy = async (): Promise<Copy> => {
      const dataDir = await dataFolder(cleanup);
      cpSync(join(folder, 'streamgate.db'), join(dataDir, 'streamgate.db'));
      const database = damagedSqlite(join(dataDir, 'streamgate.db'));
      return { env: { DATA_DIR: dataDir, ENCRYPTION_KEY }, database };
    };
    await checkAll(true, copy, filled, receiver);
  });

  it('costs no other account anything, with PostgreSQL', async () => {
    const receiver = await webhookReceiver(cleanup);
    const original = await postgres.migratedDatabase();
    const filled = await fill('', original, options(receiver.url));
    const dataDir = await dataFolder(cleanup);
    let copies = 0;
    const copy = async (): Promise<Copy> => {
      const url = new URL(original);
      const name = `damaged_${(copies += 1)}`;
      await query(postgres.adminUrl, `create database ${name} template ${url.pathname.slice(1)}`);
      url.pathname = `/${name}`;
      const env = { DATA_DIR: dataDir, DATABASE_URL: url.href, ENCRYPTION_KEY };
      return { env, database: await damagedPostgres(url.href) };
    };
    await checkAll(false, copy, filled, receiver);
  });
});
