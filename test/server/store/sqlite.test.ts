import { describe } from 'node:test';
import { openDatabase } from '../../../server/store/database.js';
import { dataFolder } from '../../support/data-folder.js';
import { databaseTemplate } from '../../support/database-template.js';
import { expandTables } from '../../support/later-version.js';
import { everyStoreContract } from './every-store.contract.js';

// Two versions side by side: this one is running when a later one migrates the database that they share. A migration may
// only expand, so the stores of this version must work with more columns and tables than they know. What works there
// works without them too: no statement of this version can name what a later one adds.
describe('on tables that a later version has expanded', () => {
  const putExpandedDatabase = databaseTemplate(expandTables);

  everyStoreContract('SQLite', async (cleanup) => {
    const folder = await dataFolder(cleanup);
    await putExpandedDatabase(folder);
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    return db;
  });
});
