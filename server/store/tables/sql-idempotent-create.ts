import type { Selectable, Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { TokenRecord } from '../../tokens/token-record.js';
import type { IdempotentCreation, IdempotencyKey, NewToken } from '../../tokens/token-store.js';
import { RowReader } from '../rows/row-reader.js';
import type { Schema } from '../schema.js';
import type { TokenCreateTable } from '../schema/token-tables.js';
import type { TokenSeal } from './sql-token-rows.js';

export interface SqlCreateOnce {
  readonly token: NewToken;
  readonly key: IdempotencyKey;
  readonly seal: TokenSeal;
  readonly insert: () => Promise<TokenRecord>;
}

/** Calls `insert` once for each key of an account and kind. A repetition returns the token as it was created. */
export async function createOnce(
  trx: Transaction<Schema>,
  { token: { accountId, kind, addedOn }, key: { key, fingerprint, since }, seal, insert }: SqlCreateOnce,
): Promise<IdempotentCreation> {
  await trx.deleteFrom('token_create').where('created_on', '<', since).execute();
  // The call that inserts this row creates the token. Concurrent calls with the same key wait here until it commits.
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('token_create')
    .values({ account_id: accountId, kind, key, fingerprint, answer_sealed: '', created_on: addedOn })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'key']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) {
    const created = await insert();
    await trx
      .updateTable('token_create')
      .set({ answer_sealed: seal.seal(JSON.stringify(created), fingerprint) })
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('key', '=', key)
      .execute();
    return { outcome: 'created', token: created };
  }
  const earlier = await trx
    .selectFrom('token_create')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (earlier.fingerprint !== fingerprint) return { outcome: 'key_reused' };
  const answer = createReader(seal).read(trx, earlier);
  const { deniedIpAddresses = [], allowedCountries = [], deniedCountries = [] } = answer;
  const { maxSessions = 0, whenFull = 'refuse' } = answer;
  const token = { ...answer, deniedIpAddresses, allowedCountries, deniedCountries, maxSessions, whenFull };
  return { outcome: 'repeated', token: Object.freeze(token) };
}

function createReader(seal: TokenSeal) {
  return new RowReader<Selectable<TokenCreateTable>, CreatedToken>({
    table: 'token_create',
    key: ['account_id', 'kind', 'key'],
    read: (row) => row.sealedJson('answer_sealed', { seal, context: row.text('fingerprint'), schema: createdToken }),
  });
}

/** The seal shows that this program wrote it. */
const createdToken = z.custom<CreatedToken>((value) => typeof value === 'object' && value !== null);

type LaterFields = 'deniedIpAddresses' | 'allowedCountries' | 'deniedCountries' | 'maxSessions' | 'whenFull';
/** A token as an earlier version of the server may have created it. */
type CreatedToken = Omit<TokenRecord, LaterFields> & Partial<Pick<TokenRecord, LaterFields>>;
