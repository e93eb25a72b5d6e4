import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Database } from '../schema.js';
import type { ValueSeal } from './value-seal.js';

/** The id of the only row of `relay_key`. */
const KEY_ID = 1;
const KEY_BYTES = 32;
const CONTEXT = 'relay key v1';

/**
 * The key by which the servers on a PostgreSQL database authenticate the streams that they relay to each other: HMAC-SHA-256.
 * The first server makes it.
 * @throws {SealBrokenError} it was sealed with another key
 */
export async function openRelayKey(db: Database, seal: ValueSeal): Promise<KeyObject> {
  const sealed = seal.seal(randomBytes(KEY_BYTES).toString('base64'), CONTEXT);
  await db
    .insertInto('relay_key')
    .values({ id: KEY_ID, sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const row = await db.selectFrom('relay_key').select('sealed').where('id', '=', KEY_ID).executeTakeFirstOrThrow();
  return createSecretKey(Buffer.from(seal.open(row.sealed, CONTEXT), 'base64'));
}
