import type { Insertable, Selectable, Transaction } from 'kysely';
import type { StreamRule, TokenListQuery } from '../../src/wire/token.js';
import { tokenHash } from '../tokens/token-directory.js';
import type { TokenRecord } from '../tokens/token-record.js';
import type { NewToken, TokenPage, TokenScope, TokenStore } from '../tokens/token-store.js';
import type { ValueSeal } from '../tokens/value-seal.js';
import type { Database } from './database.js';
import type { Schema, TokenTable } from './schema.js';

/** Rows of one insert. Databases limit the parameters of a statement, and each row has four. */
const STREAMS_AT_ONCE = 500;

/** Tokens read from the database in one go when all are wanted. */
const LOAD_BATCH = 1_000;

export class SqlTokenStore implements TokenStore {
  readonly #db: Database;
  readonly #seal: ValueSeal;

  constructor(db: Database, seal: ValueSeal) {
    this.#db = db;
    this.#seal = seal;
  }

  async create(token: NewToken): Promise<TokenRecord> {
    const revision = 1;
    return await this.#db.transaction().execute(async (trx) => {
      const { id } = await trx
        .insertInto('token')
        .values({ ...this.#row(token), account_id: token.accountId, kind: token.kind, revision })
        .returning('id')
        .executeTakeFirstOrThrow();
      await insertStreams(trx, id, token.streams);
      return Object.freeze({ ...token, id, revision });
    });
  }

  async get(scope: TokenScope, id: number): Promise<TokenRecord | undefined> {
    const row = await scoped(this.#db, scope).selectAll().where('id', '=', id).executeTakeFirst();
    return row && (await this.#records(this.#db, [row]))[0];
  }

  async update(
    { accountId, kind }: TokenScope,
    id: number,
    revise: (token: TokenRecord) => NewToken,
  ): Promise<TokenRecord | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first takes the row's lock on every database: the record read after it is the present one.
      const row = await trx
        .updateTable('token')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .returningAll()
        .executeTakeFirst();
      const [present] = row ? await this.#records(trx, [row]) : [];
      if (!present) return undefined;

      const revised = { ...revise(present), id, accountId, kind, revision: present.revision };
      await trx.updateTable('token').set(this.#row(revised)).where('id', '=', id).execute();
      await trx.deleteFrom('token_stream').where('token_id', '=', id).execute();
      await insertStreams(trx, id, revised.streams);
      return Object.freeze(revised);
    });
  }

  async delete({ accountId, kind }: TokenScope, id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('token')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async list(scope: TokenScope, { page, itemsOnPage, sortBy, isDescending }: TokenListQuery): Promise<TokenPage> {
    const direction = isDescending ? 'desc' : 'asc';
    const rows = await scoped(this.#db, scope)
      .selectAll()
      .orderBy(sortBy === 'Name' ? 'label' : 'added_on', direction)
      .orderBy('id', direction)
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await scoped(this.#db, scope)
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    return { tokens: await this.#records(this.#db, rows), total: Number(total) };
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
      yield* await this.#records(this.#db, rows);
      lastId = Number(last.id);
    }
  }

  #row(token: NewToken): Omit<Insertable<TokenTable>, 'account_id' | 'kind' | 'revision'> {
    const valueHash = tokenHash(token.token);
    return {
      value_hash: valueHash,
      value_sealed: this.#seal.seal(token.token, valueHash),
      label: token.label,
      subscribe_requires_auth: token.subscribeRequiresAuth ? 1 : 0,
      is_active: token.isActive ? 1 : 0,
      added_on: token.addedOn,
      expires_on: token.expiresOn,
    };
  }

  async #records(db: Database | Transaction<Schema>, rows: readonly Selectable<TokenTable>[]): Promise<TokenRecord[]> {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.id);
    const streams = await db
      .selectFrom('token_stream')
      .selectAll()
      .where('token_id', 'in', ids)
      .orderBy('token_id')
      .orderBy('position')
      .execute();
    const byToken = new Map(ids.map((id) => [id, [] as StreamRule[]]));
    for (const { token_id, stream_name, is_regex } of streams) {
      byToken.get(token_id)?.push({ streamName: stream_name, isRegex: is_regex === 1 });
    }
    return rows.map((row) =>
      Object.freeze({
        id: Number(row.id),
        accountId: row.account_id,
        kind: row.kind,
        token: this.#seal.open(row.value_sealed, row.value_hash),
        label: row.label,
        streams: byToken.get(row.id) ?? [],
        subscribeRequiresAuth: row.subscribe_requires_auth === 1,
        allowedOrigins: [],
        allowedIpAddresses: [],
        bindIpsOnUsage: 0,
        boundIps: [],
        isActive: row.is_active === 1,
        addedOn: Number(row.added_on),
        expiresOn: row.expires_on === null ? null : Number(row.expires_on),
        revision: Number(row.revision),
      }),
    );
  }
}

/** Whether the database holds any token: one that does is of use only with the key that sealed it. */
export async function hasTokens(db: Database): Promise<boolean> {
  return (await db.selectFrom('token').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function scoped(db: Database, { accountId, kind }: TokenScope) {
  return db.selectFrom('token').where('account_id', '=', accountId).where('kind', '=', kind);
}

async function insertStreams(trx: Transaction<Schema>, id: number, streams: TokenRecord['streams']): Promise<void> {
  const rows = streams.map(({ streamName, isRegex }, position) => ({
    token_id: id,
    position,
    stream_name: streamName,
    is_regex: isRegex ? (1 as const) : (0 as const),
  }));
  for (let start = 0; start < rows.length; start += STREAMS_AT_ONCE) {
    await trx
      .insertInto('token_stream')
      .values(rows.slice(start, start + STREAMS_AT_ONCE))
      .execute();
  }
}
