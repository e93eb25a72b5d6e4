import { openDatabase } from '../../../server/store/database.js';
import { dataFolder } from '../../support/data-folder.js';
import { expandTables } from '../../support/later-version.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { everyStoreContract } from './every-store.contract.js';

// Two versions side by side: this one is running when a later one migrates the database that they share. A migration may
// only expand, so the stores of this version must work with more columns and tables than they know.

const postgres = suitePostgres(expandTables);

everyStoreContract('SQLite, expanded by a later version', async (cleanup) => {
  const db = await openDatabase(await dataFolder(cleanup));
  await expandTables(db);
  return db;
});
everyStoreContract('PostgreSQL, expanded by a later version', async () =>
  openDatabase('', await postgres.emptiedDatabase()),
);
