// A process that creates, changes, binds and deletes tokens until it is killed, and prints each acknowledged write.
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../server/store/tables/sql-token-store.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { writeTokens } from './write-tokens.js';

const folder = process.argv[2]!;
const db = await openDatabase(folder);
await new SqlAccountStore(db).create('acme');
const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
await writeTokens(store, (change) => process.stdout.write(`${JSON.stringify(change)}\n`));
