import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { RelayKeyTable } from '../schema/cluster-tables.js';
import type { ValueSeal } from './value-seal.js';

/** The id of the only row of `relay_key`. */
const KEY_ID = 1;
const KEY_BYTES = 32;
const CONTEXT = 'relay key v1';

const reader = (seal: ValueSeal) =>
  new RowReader<RelayKeyTable, KeyObject>({
    table: 'relay_key',
    key: ['id'],
    read: (row) => createSecretKey(Buffer.from(row.sealed('sealed', seal, CONTEXT), 'base64')),
  });

/**
 * The key by which the servers on a PostgreSQL database authenticate the streams that they relay to each other: HMAC-SHA-256.
 * The first server makes it. One that is damaged is replaced: servers that have the one before relay nothing to those
 * that have the new one until they are started again, and viewers go to the server that has their stream.
 */
export async function openRelayKey(db: Database, seal: ValueSeal): Promise<KeyObject> {
  const sealed = seal.seal(randomBytes(KEY_BYTES).toString('base64'), CONTEXT);
  await db
    .insertInto('relay_key')
    .values({ id: KEY_ID, sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const present = () => db.selectFrom('relay_key').selectAll().where('id', '=', KEY_ID).executeTakeFirstOrThrow();
  const row = await present();
  const key = reader(seal).find(db, row);
  if (key) return key;
  // Of servers that start at the same time, one replaces it.
  await db.updateTable('relay_key').set({ sealed }).where('id', '=', KEY_ID).where('sealed', '=', row.sealed).execute();
  return reader(seal).read(db, await present());
}
