import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { dataFolder } from '../../support/data-folder.js';
import { expandTables } from '../../support/later-version.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { everyStoreContract } from './every-store.contract.js';

// Two versions side by side: this one is running when a later one migrates the database that they share. A migration may
// only expand, so the stores of this version must work with more columns and tables than they know.

const postgres = suitePostgres();

const expanded = async (db: Database): Promise<Database> => {
  await expandTables(db);
  return db;
};

everyStoreContract('SQLite, expanded by a later version', async (cleanup) =>
  expanded(await openDatabase(await dataFolder(cleanup))),
);
everyStoreContract('PostgreSQL, expanded by a later version', async () =>
  expanded(await openDatabase('', await postgres.newDatabase())),
);
