import type { Transaction } from 'kysely';
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../server/store/tables/sql-account-store.js';
import type { Schema } from '../../server/store/schema.js';
import { searchRowOf } from '../../server/store/tables/sql-token-search.js';
import { SqlTokenRows } from '../../server/store/tables/sql-token-rows.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { policyToken } from './policy-tokens.js';

/** The rows of one insert: few enough for the number of parameters that SQLite allows. */
const ROWS_AT_ONCE = 1_000;

/** Stores tokens in the data folder of a server that is not running, in one transaction. */
export async function storeTokens(dataDir: string, count: number): Promise<void> {
  const db = await openDatabase(dataDir);
  const seal = new ValueSeal(openKeys(dataDir).sealKey);
  await new SqlAccountStore(db).create('acme');
  await db.transaction().execute((trx) => insertTokens(trx, count, seal));
  await db.destroy();
}

/** Stores the tokens 1 to `count` of the account `acme`, which has none. */
export async function insertTokens(trx: Transaction<Schema>, count: number, seal: ValueSeal): Promise<void> {
  const rows = new SqlTokenRows(seal);
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const tokens = Array.from({ length: Math.min(ROWS_AT_ONCE, count - start) }, (_, turn) =>
      policyToken(start + turn),
    );
    const values = tokens.map((token) => ({
      ...rows.rowOf(token),
      account_id: token.accountId,
      kind: token.kind,
      revision: token.revision,
    }));
    // Both databases count the ids up from 1.
    await trx.insertInto('token').values(values).execute();
    const streams = tokens.flatMap(({ id, streams }) =>
      streams.map(({ streamName }, position) => ({
        token_id: id,
        position,
        stream_name: streamName,
        is_regex: 0 as const,
      })),
    );
    await trx.insertInto('token_stream').values(streams).execute();
    await trx.insertInto('token_search').values(tokens.map(searchRowOf)).execute();
  }
}
