import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/keys/key-file.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { SqlDeliveryStore } from '../../server/store/tables/sql-delivery-store.js';
import { aStart, anEnd } from './webhook.js';

/** Writes events of streams until it is killed. Prints the id of each that was acknowledged. */
const [, , folder = ''] = process.argv;
const db = await openDatabase(folder);
const store = new SqlDeliveryStore(db, new ValueSeal(openKeys(folder).sealKey));
for (let count = 0; ; count += 1) {
  const pair = [aStart(`s${count}`, Date.now()), anEnd(`s${count}`, Date.now())];
  await store.write(pair);
  for (const { eventId } of pair) process.stdout.write(`${eventId}\n`);
}
