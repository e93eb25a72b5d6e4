import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, type Dialect, type TableMetadata } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrationProvider } from '../../../server/store/migrations.js';
import { sqliteDialect } from '../../../server/store/sqlite/node-sqlite.js';
import { MIGRATIONS, postgresDialect } from '../../../server/store/postgres/postgres-dialect.js';
import { suitePostgres } from '../../support/suite-postgres.js';

/**
 * What a migration takes away from the version before, by its name. Add an entry only if the version that was released
 * before no longer uses it, and let the migration enter its own name in `schema_version`: CONTRIBUTING.md, "A migration".
 */
const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {};

/** It creates the table that says which versions can use the tables. */
const FIRST_WITH_VERSION = '0029_schema_version';

type Tables = readonly TableMetadata[];

/** What the version that knew the tables `old` could no longer do with the tables `young`. */
function contractionsBetween(old: Tables, young: Tables): string[] {
  return old.flatMap((table) => {
    const now = young.find(({ name }) => name === table.name);
    if (!now) return [`removes the table ${table.name}`];
    const column = (name: string) => `${table.name}.${name}`;
    const changed = table.columns.flatMap(({ name, dataType, isNullable }) => {
      const later = now.columns.find((one) => one.name === name);
      if (!later) return [`removes ${column(name)}`];
      if (later.dataType !== dataType) return [`changes the type of ${column(name)}`];
      return isNullable && !later.isNullable ? [`makes ${column(name)} required`] : [];
    });
    const demanded = now.columns
      .filter(
        ({ isNullable, hasDefaultValue, isAutoIncrementing }) => !isNullable && !hasDefaultValue && !isAutoIncrementing,
      )
      .filter(({ name }) => !table.columns.some((one) => one.name === name))
      .map(({ name }) => `adds ${column(name)}, which is required and has no default`);
    return [...changed, ...demanded];
  });
}

/** The contractions of each migration that has some. */
async function contractionsOf(
  dialect: Dialect,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Record<string, string[]>> {
  const db = new Kysely<unknown>({ dialect });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const found: Record<string, string[]> = {};
    let old: Tables = [];
    for (const name of Object.keys(migrations)) {
      const { error } = await migrator.migrateTo(name);
      if (error) throw error;
      const young = await db.introspection.getTables();
      const contractions = contractionsBetween(old, young);
      if (contractions.length > 0) found[name] = contractions;
      old = young;
    }
    return found;
  } finally {
    await db.destroy();
  }
}

const inMemory = () => sqliteDialect(new DatabaseSync(':memory:'));

describe('the migrations', () => {
  const postgres = suitePostgres();

  it('say from which version on their tables can be used: that of the last that takes something away', async () => {
    const migrations = await migrationProvider('sqlite').getMigrations();
    const names = Object.keys(migrations);
    const contractions = Object.keys(CONTRACTIONS).filter((name) => name > FIRST_WITH_VERSION);
    for (const last of names.filter((name) => name >= FIRST_WITH_VERSION)) {
      const db = new Kysely<unknown>({ dialect: inMemory() });
      const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(last);
      if (error) throw error;
      const { rows } = await sql`select compatible_from from schema_version`.execute(db);
      await db.destroy();
      const expected = contractions.findLast((name) => name <= last) ?? FIRST_WITH_VERSION;
      assert.deepEqual(rows, [{ compatible_from: expected }], last);
    }
  });

  it('take nothing away on SQLite but what is listed', async () => {
    const migrations = await migrationProvider('sqlite').getMigrations();
    assert.ok(Object.keys(migrations).length > 20);
    assert.deepEqual(await contractionsOf(inMemory(), migrations), CONTRACTIONS);
  });

  it('take nothing away on PostgreSQL but what is listed', async () => {
    const dialect = postgresDialect(await postgres.newDatabase(), MIGRATIONS);
    assert.deepEqual(await contractionsOf(dialect, await migrationProvider('postgres').getMigrations()), CONTRACTIONS);
  });
});

describe('a contraction', () => {
  const found = async (
    ...changes: ((db: Kysely<unknown>) => Promise<unknown>)[]
  ): Promise<Record<string, string[]>> => {
    const steps = [
      (db: Kysely<unknown>) =>
        db.schema.createTable('token').addColumn('id', 'integer').addColumn('label', 'text').execute(),
      ...changes,
    ];
    const migrations = steps.map((step, n) => [
      `000${n + 1}`,
      {
        async up(db: Kysely<unknown>) {
          await step(db);
        },
      },
    ]);
    return contractionsOf(inMemory(), Object.fromEntries(migrations));
  };

  it('is a column that is removed', async () =>
    assert.deepEqual(await found((db) => db.schema.alterTable('token').dropColumn('label').execute()), {
      '0002': ['removes token.label'],
    }));

  it('is a column that is renamed', async () =>
    assert.deepEqual(await found((db) => db.schema.alterTable('token').renameColumn('label', 'name').execute()), {
      '0002': ['removes token.label'],
    }));

  it('is a table that is removed', async () =>
    assert.deepEqual(await found((db) => db.schema.dropTable('token').execute()), {
      '0002': ['removes the table token'],
    }));

  it('is a column that the version before does not fill in', async () => {
    const replaced = async (db: Kysely<unknown>) => {
      await db.schema.dropTable('token').execute();
      await db.schema
        .createTable('token')
        .addColumn('id', 'integer')
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .execute();
    };
    assert.deepEqual(await found(replaced), {
      '0002': ['makes token.label required', 'adds token.kind, which is required and has no default'],
    });
  });

  it('is not a new table, or a new column that may be absent', async () =>
    assert.deepEqual(
      await found(
        (db) => db.schema.alterTable('token').addColumn('note', 'text').execute(),
        (db) =>
          db.schema
            .createTable('stream')
            .addColumn('name', 'text', (column) => column.notNull())
            .execute(),
      ),
      {},
    ));
});
