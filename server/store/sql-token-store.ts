import { setImmediate } from 'node:timers/promises';
import type { Insertable, Selectable, Transaction } from 'kysely';
import type { StreamRule, TokenListQuery } from '../../src/wire/token.js';
import type { TokenNameQuery } from '../../src/wire/token-name-query.js';
import { tokenChange } from '../oversight/audit-entry.js';
import { tokenHash } from '../tokens/token-directory.js';
import type { BoundIp, TokenRecord } from '../tokens/token-record.js';
import type {
  Binding,
  BindingAnswer,
  CreatedOnce,
  CreateKey,
  NewToken,
  TokenPage,
  TokenScope,
  TokenStore,
} from '../tokens/token-store.js';
import type { ValueSeal } from '../tokens/value-seal.js';
import type { Database } from './database.js';
import type { Schema, TokenTable } from './schema.js';
import { writeAudit } from './sql-audit-store.js';

/** Rows of one insert. Databases limit the parameters of a statement, and each row has four. */
const STREAMS_AT_ONCE = 500;

/** Tokens read from the database in one go when all are wanted. */
const LOAD_BATCH = 1_000;
const REVISIONS_BATCH = 5_000;

/** What seals token values at rest. */
export type TokenSeal = Pick<ValueSeal, 'seal' | 'open'>;

export class SqlTokenStore implements TokenStore {
  readonly #db: Database;
  readonly #seal: TokenSeal;
  /** By token: the last who asks for a place. */
  readonly #binding = new Map<number, Promise<BindingAnswer>>();
  readonly #now: () => number;

  /** @param now what the audit log takes for the time of a change, in milliseconds since 1970 */
  constructor(db: Database, seal: TokenSeal, now: () => number = Date.now) {
    this.#db = db;
    this.#seal = seal;
    this.#now = now;
  }

  async create(token: NewToken): Promise<TokenRecord> {
    return await this.#db.transaction().execute((trx) => this.#insert(trx, token));
  }

  async createOnce(token: NewToken, { key, fingerprint, since }: CreateKey): Promise<CreatedOnce> {
    const { accountId, kind } = token;
    return await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('token_create').where('created_on', '<', since).execute();
      // Whose insert takes the row makes the token; the others wait here until it is there.
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('token_create')
        .values({ account_id: accountId, kind, key, fingerprint, answer_sealed: '', created_on: token.addedOn })
        .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'key']).doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows) {
        const created = await this.#insert(trx, token);
        await trx
          .updateTable('token_create')
          .set({ answer_sealed: this.#seal.seal(JSON.stringify(created), fingerprint) })
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
      const answer: TokenRecord = JSON.parse(this.#seal.open(earlier.answer_sealed, fingerprint));
      return { outcome: 'repeated', token: Object.freeze(answer) };
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
      await keepBoundIps(trx, id, present.boundIps, revised.boundIps);
      await writeAudit(trx, tokenChange(present, revised), this.#now());
      return Object.freeze(revised);
    });
  }

  async bindAddress(id: number, address: string, now: number): Promise<BindingAnswer> {
    const answer = this.#bindAfter(this.#binding.get(id), id, address, now);
    this.#binding.set(id, answer);
    try {
      return await answer;
    } finally {
      if (this.#binding.get(id) === answer) this.#binding.delete(id);
    }
  }

  async #bindAfter(
    ahead: Promise<BindingAnswer> | undefined,
    id: number,
    address: string,
    now: number,
  ): Promise<BindingAnswer> {
    // Who has a place keeps it, and that all are taken stays so, until the token is changed: no lock for them. Of many
    // who come at once most are answered by what the one ahead has just seen.
    const seen = await ahead?.then(({ token }) => token).catch(() => undefined);
    const token = seen ?? (await this.#byId(this.#db, id));
    const binding = bindingOf(token, address);
    if (binding !== 'bound') return { binding, token };
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first takes the row's lock on every database: who comes next sees the place taken.
      await trx
        .updateTable('token')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .execute();
      const present = await this.#byId(trx, id);
      const outcome = bindingOf(present, address);
      if (!present || outcome !== 'bound') return { binding: outcome, token: present };
      const position = present.boundIps.length;
      await trx.insertInto('token_bound_ip').values({ token_id: id, address, position, bound_on: now }).execute();
      const boundIps = [...present.boundIps, { address, boundOn: now }];
      return { binding: outcome, token: Object.freeze({ ...present, boundIps }) };
    });
  }

  async delete({ accountId, kind }: TokenScope, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      // As in update: the write takes the lock. The delete then takes streams and bindings along.
      const row = await trx
        .updateTable('token')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .returningAll()
        .executeTakeFirst();
      const [present] = row ? await this.#records(trx, [row]) : [];
      if (!present) return false;
      await trx.deleteFrom('token').where('id', '=', id).execute();
      await writeAudit(trx, tokenChange(present, undefined), this.#now());
      return true;
    });
  }

  async list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage> {
    const { page, itemsOnPage, sortBy, isDescending } = query;
    const wanted = 'name' in query ? named(scoped(this.#db, scope), query) : scoped(this.#db, scope);
    const direction = isDescending ? 'desc' : 'asc';
    const rows = await wanted
      .selectAll()
      .orderBy(sortBy === 'Name' ? 'label' : 'added_on', direction)
      .orderBy('id', direction)
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await wanted.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { tokens: await this.#records(this.#db, rows), total: Number(total) };
  }

  async find(id: number): Promise<TokenRecord | undefined> {
    return await this.#byId(this.#db, id);
  }

  async findByValue(value: string): Promise<TokenRecord | undefined> {
    const row = await this.#db
      .selectFrom('token')
      .selectAll()
      .where('value_hash', '=', tokenHash(value))
      .executeTakeFirst();
    return row && (await this.#records(this.#db, [row]))[0];
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
      // The driver of SQLite answers at once: without this nobody else would have a turn.
      await setImmediate();
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
      yield* await this.#records(this.#db, rows);
      lastId = Number(last.id);
    }
  }

  async #byId(db: Database | Transaction<Schema>, id: number): Promise<TokenRecord | undefined> {
    const row = await db.selectFrom('token').selectAll().where('id', '=', id).executeTakeFirst();
    return row && (await this.#records(db, [row]))[0];
  }

  async #insert(trx: Transaction<Schema>, token: NewToken): Promise<TokenRecord> {
    const revision = 1;
    const { id } = await trx
      .insertInto('token')
      .values({ ...this.#row(token), account_id: token.accountId, kind: token.kind, revision })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertStreams(trx, id, token.streams);
    const created = Object.freeze({ ...token, id, revision });
    await writeAudit(trx, tokenChange(undefined, created), this.#now());
    return created;
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
      allowed_origins: JSON.stringify(token.allowedOrigins),
      allowed_addresses: JSON.stringify(token.allowedIpAddresses),
      bind_ips_on_usage: token.bindIpsOnUsage,
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
    const boundIps = await this.#boundIps(
      db,
      rows.filter((row) => row.bind_ips_on_usage > 0),
    );
    return rows.map((row) =>
      Object.freeze({
        id: Number(row.id),
        accountId: row.account_id,
        kind: row.kind,
        token: this.#seal.open(row.value_sealed, row.value_hash),
        label: row.label,
        streams: byToken.get(row.id) ?? [],
        subscribeRequiresAuth: row.subscribe_requires_auth === 1,
        allowedOrigins: readList(row.allowed_origins),
        allowedIpAddresses: readList(row.allowed_addresses),
        bindIpsOnUsage: row.bind_ips_on_usage,
        boundIps: boundIps.get(row.id) ?? NONE,
        isActive: row.is_active === 1,
        addedOn: Number(row.added_on),
        expiresOn: row.expires_on === null ? null : Number(row.expires_on),
        revision: Number(row.revision),
      }),
    );
  }

  async #boundIps(
    db: Database | Transaction<Schema>,
    binding: readonly Selectable<TokenTable>[],
  ): Promise<ReadonlyMap<number, readonly BoundIp[]>> {
    const byToken = new Map(binding.map(({ id }) => [id, [] as BoundIp[]]));
    if (byToken.size === 0) return byToken;
    const rows = await db
      .selectFrom('token_bound_ip')
      .selectAll()
      .where('token_id', 'in', [...byToken.keys()])
      .orderBy('position')
      .execute();
    for (const { token_id, address, bound_on } of rows) {
      byToken.get(token_id)?.push({ address, boundOn: Number(bound_on) });
    }
    return byToken;
  }
}

const NONE: readonly never[] = Object.freeze([]);

/** Most lists are empty, and there may be a million of them. */
function readList(json: string): readonly string[] {
  return json === '[]' ? NONE : JSON.parse(json);
}

function bindingOf(token: TokenRecord | undefined, address: string): Binding {
  if (!token) return 'full';
  const { bindIpsOnUsage, boundIps } = token;
  if (bindIpsOnUsage === 0 || boundIps.some((bound) => bound.address === address)) return 'already_bound';
  return boundIps.length < bindIpsOnUsage ? 'bound' : 'full';
}

/** Whether the database holds any token: one that does is of use only with the key that sealed it. */
export async function hasTokens(db: Database): Promise<boolean> {
  return (await db.selectFrom('token').select('id').limit(1).executeTakeFirst()) !== undefined;
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

/** Bindings are added by `bindAddress` alone; a change can only give places back. */
async function keepBoundIps(
  trx: Transaction<Schema>,
  id: number,
  present: readonly BoundIp[],
  kept: readonly BoundIp[],
): Promise<void> {
  if (kept.length === present.length) return;
  const addresses = kept.map(({ address }) => address);
  await trx
    .deleteFrom('token_bound_ip')
    .where('token_id', '=', id)
    .$if(addresses.length > 0, (query) => query.where('address', 'not in', addresses))
    .execute();
}
