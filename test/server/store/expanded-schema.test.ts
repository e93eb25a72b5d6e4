import { after, before } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { dataFolder } from '../../support/data-folder.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { everyStoreContract } from './every-store.contract.js';

// Two versions side by side: this one is running when a later one migrates the database that they share. A migration may
// only expand, so the stores of this version must work with more columns and tables than they know.

let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

/** All that a migration may do without an entry in the list of contractions. */
async function expand(db: Database): Promise<Database> {
  for (const { name } of await db.introspection.getTables()) {
    await sql`alter table ${sql.table(name)} add column later_note text`.execute(db);
    await sql`alter table ${sql.table(name)} add column later_count integer not null default 0`.execute(db);
  }
  await sql`create table later (id integer primary key, token_id integer not null)`.execute(db);
  return db;
}

everyStoreContract('SQLite, expanded by a later version', async (cleanup) =>
  expand(await openDatabase(await dataFolder(cleanup))),
);
everyStoreContract('PostgreSQL, expanded by a later version', async () =>
  expand(await openDatabase('', await postgres.newDatabase())),
);
