import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { TokenListQuery, TokenNameQuery } from '../../../src/wire/management/token.js';
import { tokenChange, tokenDeletion } from '../../oversight/audit-entry.js';
import { tokenHash, type TokenRecord } from '../../tokens/token-record.js';
import type {
  BindingResult,
  IdempotentCreation,
  IdempotencyKey,
  NewToken,
  TokenPage,
  TokenScope,
  TokenStore,
} from '../../tokens/token-store.js';
import type { Database, Schema } from '../schema.js';
import { UnreadableRowError } from '../rows/row-reader.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { writeAudit, writeAudits } from './sql-audit-store.js';
import { isSearch, searchTokens, tokenOrder, writeTokenSearch } from './sql-token-search.js';
import { keepBoundIps, SqlTokenBindings } from './sql-token-bindings.js';
import { createOnce } from './sql-idempotent-create.js';
import { incrementRevision, insertStreams, NEXT_REVISION, SqlTokenRows, type TokenSeal } from './sql-token-rows.js';

/** The tokens that one query reads when all are loaded. */
const LOAD_BATCH = 1_000;
const REVISIONS_BATCH = 5_000;
/** Creating these takes SQLite some milliseconds, and it blocks the process. */
const CREATED_IN_A_TURN = 10;

export interface SqlTokenStoreOptions {
  /** The time of a change in the audit log, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export class SqlTokenStore implements TokenStore {
  readonly #db: Database;
  readonly #seal: TokenSeal;
  readonly #rows: SqlTokenRows;
  readonly #bindings: SqlTokenBindings;
  readonly #now: () => number;

  constructor(db: Database, seal: TokenSeal, { now = Date.now }: SqlTokenStoreOptions = {}) {
    this.#db = db;
    this.#seal = seal;
    this.#rows = new SqlTokenRows(seal);
    this.#bindings = new SqlTokenBindings(db, (at, id) => this.#rows.find(at, id));
    this.#now = now;
  }

  async create(token: NewToken): Promise<TokenRecord> {
    return await this.#db.transaction().execute((trx) => this.#insert(trx, token));
  }

  async createSeveral(tokens: readonly NewToken[]): Promise<readonly TokenRecord[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const created: TokenRecord[] = [];
      for (const token of tokens) {
        created.push(await this.#insert(trx, token));
        if (created.length % CREATED_IN_A_TURN === 0) await setImmediate();
      }
      return created;
    });
  }

  async createOnce(token: NewToken, key: IdempotencyKey): Promise<IdempotentCreation> {
    return await this.#db
      .transaction()
      .execute((trx) => createOnce(trx, { token, key, seal: this.#seal, insert: () => this.#insert(trx, token) }));
  }

  async get(scope: TokenScope, id: number): Promise<TokenRecord | undefined> {
    const row = await scoped(this.#db, scope).selectAll().where('id', '=', id).executeTakeFirst();
    return row && readable(await this.#rows.recordOf(this.#db, row));
  }

  async update(
    scope: TokenScope,
    id: number,
    revise: (token: TokenRecord) => NewToken,
  ): Promise<TokenRecord | undefined> {
    const change = async (trx: Transaction<Schema>) => {
      const row = await lockToken(trx, scope, id);
      if (!row) return undefined;
      const present = readable(await this.#rows.recordOf(trx, row));
      const { accountId, kind, revision } = present;
      // `#lock` has incremented the revision already.
      const before = Object.freeze({ ...present, revision: revision - 1 });
      const revised = { ...revise(before), id, accountId, kind, revision };
      await trx.updateTable('token').set(this.#rows.changedRowOf(revised)).where('id', '=', id).execute();
      await trx.deleteFrom('token_stream').where('token_id', '=', id).execute();
      await insertStreams(trx, id, revised.streams);
      await writeTokenSearch(trx, revised);
      await keepBoundIps(trx, id, present.boundIps, revised.boundIps);
      await writeAudit(trx, tokenChange(present, revised), this.#now());
      return Object.freeze(revised);
    };
    // The change may disable the token.
    return await allowOnFullDisk(() => this.#db.transaction().execute(change));
  }

  async bindAddress(id: number, address: string, now: number): Promise<BindingResult> {
    return await this.#bindings.bind(id, address, now);
  }

  async delete(scope: TokenScope, id: number): Promise<boolean> {
    const remove = async (trx: Transaction<Schema>) => {
      const row = await lockToken(trx, scope, id);
      if (!row) return false;
      const present = await this.#rows.recordOf(trx, row);
      // Cascades to streams and bindings.
      await trx.deleteFrom('token').where('id', '=', id).execute();
      this.#rows.forget(trx, row);
      await writeAudit(trx, tokenDeletion(present ?? { ...scope, id }), this.#now());
      return true;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async deleteExpired(time: number, most: number): Promise<readonly number[]> {
    return await this.#db.transaction().execute(async (trx) => {
      // The condition is repeated: after waiting for a row lock, PostgreSQL evaluates only the outer one again.
      const rows = await trx
        .updateTable('token')
        .set({ revision: NEXT_REVISION })
        .where('expires_on', '<=', time)
        .where('id', 'in', (eb) =>
          eb.selectFrom('token').select('id').where('expires_on', '<=', time).orderBy('expires_on').limit(most),
        )
        .returningAll()
        .execute();
      const tokens = await this.#rows.recordsOf(trx, rows);
      const ids = rows.map(({ id }) => Number(id));
      if (ids.length > 0) await trx.deleteFrom('token').where('id', 'in', ids).execute();
      await writeAudits(trx, tokens.map(tokenDeletion), this.#now());
      return ids;
    });
  }

  async list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage> {
    if (isSearch(query)) return await this.#search(scope, query);
    const { page, itemsOnPage, sortBy, isDescending } = query;
    const wanted = 'name' in query ? named(scoped(this.#db, scope), query) : scoped(this.#db, scope);
    const direction = isDescending ? 'desc' : 'asc';
    const rows = await wanted
      .selectAll()
      .orderBy(tokenOrder(sortBy), direction)
      .orderBy('id', direction)
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await wanted.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { tokens: await this.#rows.shownOf(this.#db, rows), total: Number(total) };
  }

  async #search(scope: TokenScope, query: TokenListQuery): Promise<TokenPage> {
    const { ids, total } = await searchTokens(this.#db, scope, query, this.#now());
    if (ids.length === 0) return { tokens: [], total };
    const rows = await this.#db.selectFrom('token').selectAll().where('id', 'in', ids).execute();
    const records = await this.#rows.shownOf(this.#db, rows);
    const byId = new Map(records.map((record) => [record.id, record]));
    // A token that was deleted between the two reads is left out.
    return { tokens: ids.flatMap((id) => byId.get(id) ?? []), total };
  }

  async find(id: number): Promise<TokenRecord | undefined> {
    return await this.#rows.find(this.#db, id);
  }

  async findByValue(value: string): Promise<TokenRecord | undefined> {
    const row = await this.#db
      .selectFrom('token')
      .selectAll()
      .where('value_hash', '=', tokenHash(value))
      .executeTakeFirst();
    return row && (await this.#rows.recordOf(this.#db, row));
  }

  async *revisions(): AsyncGenerator<Pick<TokenRecord, 'id' | 'revision'>> {
    for (let lastId = 0; ;) {
      const rows = await this.#db
        .selectFrom('token')
        .select(['id', 'revision'])
        .where('id', '>', lastId)
        .orderBy('id')
        .limit(REVISIONS_BATCH)
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      yield* rows;
      lastId = last.id;
      // The SQLite driver answers synchronously: without a pause nothing else would run.
      await setImmediate();
    }
  }

  async *publishTokens(): AsyncGenerator<TokenRecord> {
    const accounts = await this.#db.selectFrom('account').select('id').execute();
    for (const { id: accountId } of accounts) {
      // From the index `token_by_age` alone, so that those of viewers are not looked at.
      const found = await this.#db
        .selectFrom('token')
        .select('id')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'publish')
        .execute();
      for (let start = 0; start < found.length; start += LOAD_BATCH) {
        const ids = found.slice(start, start + LOAD_BATCH).map(({ id }) => id);
        const rows = await this.#db.selectFrom('token').selectAll().where('id', 'in', ids).execute();
        yield* await this.#rows.recordsOf(this.#db, rows);
        await setImmediate();
      }
    }
  }

  async *all(): AsyncGenerator<TokenRecord> {
    for (let lastId = 0; ;) {
      const rows = await this.#db
        .selectFrom('token')
        .selectAll()
        .where('id', '>', lastId)
        .orderBy('id')
        .limit(LOAD_BATCH)
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      yield* await this.#rows.recordsOf(this.#db, rows);
      lastId = Number(last.id);
      await setImmediate();
    }
  }

  async #insert(trx: Transaction<Schema>, token: NewToken): Promise<TokenRecord> {
    const revision = 1;
    const { id } = await trx
      .insertInto('token')
      .values({ ...this.#rows.rowOf(token), account_id: token.accountId, kind: token.kind, revision })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertStreams(trx, id, token.streams);
    const created = Object.freeze({ ...token, id, revision });
    await writeTokenSearch(trx, created);
    await writeAudit(trx, tokenChange(undefined, created), this.#now());
    return created;
  }
}

/** The row of a token, locked until the end of the transaction. */
async function lockToken(trx: Transaction<Schema>, { accountId, kind }: TokenScope, id: number) {
  return await incrementRevision(trx, id)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst();
}

/** @throws {UnreadableRowError} */
function readable(token: TokenRecord | undefined): TokenRecord {
  if (!token) throw new UnreadableRowError();
  return token;
}

function scoped(db: Database, { accountId, kind }: TokenScope) {
  return db.selectFrom('token').where('account_id', '=', accountId).where('kind', '=', kind);
}

function named(tokens: ReturnType<typeof scoped>, { name, filterBy }: TokenNameQuery) {
  if (filterBy === 'None') return tokens;
  return tokens.where((eb) => {
    const ofLabel = eb('label', '=', name);
    const ofStream = eb.exists(
      eb
        .selectFrom('token_stream')
        .select('token_id')
        .where('stream_name', '=', name)
        .where('is_regex', '=', 0)
        .whereRef('token_id', '=', 'token.id'),
    );
    if (filterBy === 'TokenName') return ofLabel;
    return filterBy === 'StreamName' ? ofStream : eb.or([ofLabel, ofStream]);
  });
}
