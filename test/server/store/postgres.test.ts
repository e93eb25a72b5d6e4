import { after, before } from 'node:test';
import { openDatabase } from '../../../server/store/database.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { everyStoreContract } from './every-store.contract.js';

let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

everyStoreContract('PostgreSQL', async () => await openDatabase('', await postgres.newDatabase()));
