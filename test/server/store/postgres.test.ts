import { after, describe } from 'node:test';
import { openDatabase } from '../../../server/store/database.js';
import { emptyTables } from '../../support/empty-tables.js';
import { expandTables } from '../../support/later-version.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { everyStoreContract } from './every-store.contract.js';

// See sqlite.test.ts.
describe('on tables that a later version has expanded', () => {
  const postgres = suitePostgres(expandTables);
  // All tests use one database, because to open one takes longer than most tests.
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const db = await openDatabase('', await postgres.migratedDatabase());
    return { db, empty: await emptyTables(db) };
  };
  after(async () => (await opened)?.db.destroy());

  everyStoreContract('PostgreSQL', async () => {
    const { db, empty } = await (opened ??= open());
    await empty();
    return db;
  });
});
