import { openDatabase } from '../../../server/store/database.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { everyStoreContract } from './every-store.contract.js';

const postgres = suitePostgres();

everyStoreContract('PostgreSQL', async () => await openDatabase('', await postgres.emptiedDatabase()));
