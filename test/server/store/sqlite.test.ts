import { openDatabase } from '../../../server/store/database.js';
import { dataFolder } from '../../support/data-folder.js';
import { everyStoreContract } from './every-store.contract.js';

everyStoreContract('SQLite', async (cleanup) => await openDatabase(await dataFolder(cleanup)));
