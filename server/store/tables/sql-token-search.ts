import { sql, type Expression, type ExpressionBuilder, type SqlBool, type Transaction } from 'kysely';
import type { TokenListQuery, TokenNameQuery, TokenState } from '../../../src/wire/management/token.js';
import type { TokenRecord } from '../../tokens/token-record.js';
import type { TokenScope } from '../../tokens/token-store.js';
import type { Database, Schema } from '../schema.js';
import type { TokenSearchTable } from '../schema/token-tables.js';

/** Later than every expiry: tokens that never expire come after those that do. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Text as it is compared in a search: the letter case, and how letters with accents are composed, do not matter. */
export function fold(text: string): string {
  // `toLowerCase` writes the same Greek letter in two ways, depending on what follows.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

export function isSearch(query: TokenListQuery | TokenNameQuery): query is TokenListQuery {
  return !('name' in query) && Boolean(query.search || query.state);
}

export function searchRowOf(token: TokenRecord): TokenSearchTable {
  return {
    account_id: token.accountId,
    kind: token.kind,
    token_id: token.id,
    label: token.label,
    is_active: token.isActive ? 1 : 0,
    added_on: token.addedOn,
    expires_on: token.expiresOn,
    // Labels, stream names and searches contain no line breaks, so that no search matches across two of them.
    folded: fold([token.label, ...token.streams.map(({ streamName }) => streamName)].join('\n')),
  };
}

/** Call it in the transaction that writes the token. */
export async function writeTokenSearch(trx: Transaction<Schema>, token: TokenRecord): Promise<void> {
  const { account_id, kind, token_id, ...row } = searchRowOf(token);
  await trx
    .insertInto('token_search')
    .values({ account_id, kind, token_id, ...row })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet(row))
    .execute();
}

/** The order of a list, for both tables. */
export function tokenOrder(sortBy: TokenListQuery['sortBy']) {
  if (sortBy === 'ExpiresOn') return sql<number>`coalesce(expires_on, ${sql.lit(NEVER)})`;
  return sortBy === 'Name' ? ('label' as const) : ('added_on' as const);
}

/**
 * Reads every row of the scope: 100,000 take some hundredths of a second (bench/token-search.bench.ts). An index of
 * trigrams would need an extension that not every PostgreSQL has.
 * @returns the ids of the page in order, and how many tokens match on all pages
 */
export async function searchTokens(
  db: Database,
  { accountId, kind }: TokenScope,
  { search = '', state, page, itemsOnPage, sortBy, isDescending }: TokenListQuery,
  now: number,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const matching = db
    .selectFrom('token_search')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where((eb) => eb.and([...(search ? [matches(eb, search)] : []), ...(state ? [isIn(eb, state, now)] : [])]));
  const direction = isDescending ? 'desc' : 'asc';
  const rows = await matching
    .select('token_id')
    .orderBy(tokenOrder(sortBy), direction)
    .orderBy('token_id', direction)
    .limit(itemsOnPage)
    .offset((page - 1) * itemsOnPage)
    .execute();
  const ids = rows.map(({ token_id }) => Number(token_id));
  // The last page tells the total. That spares a search with few results the second reading of all rows.
  const isLast = ids.length < itemsOnPage && (ids.length > 0 || page === 1);
  if (isLast) return { ids, total: (page - 1) * itemsOnPage + ids.length };
  const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  return { ids, total: Number(total) };
}

type Condition = ExpressionBuilder<Schema, 'token_search'>;

function matches(eb: Condition, search: string): Expression<SqlBool> {
  const contains = sql<SqlBool>`folded like ${`%${fold(search).replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
  if (!/^\d+$/.test(search)) return contains;
  return eb.or([contains, sql<SqlBool>`cast(token_id as text) like ${`${search}%`}`]);
}

function isIn(eb: Condition, state: TokenState, now: number): Expression<SqlBool> {
  if (state === 'disabled') return eb('is_active', '=', 0);
  const hasExpired = eb('expires_on', '<=', now);
  return eb.and([
    eb('is_active', '=', 1),
    state === 'expired' ? hasExpired : eb.or([eb('expires_on', 'is', null), eb('expires_on', '>', now)]),
  ]);
}
