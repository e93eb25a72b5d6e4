import { sql, type Insertable, type Selectable, type Transaction } from 'kysely';
import type { StreamRule } from '../../../src/wire/management/token.js';
import { canonicalAddressRange, InvalidAddressRangeError } from '../../addresses/ip-ranges.js';
import { whenFull } from '../../../src/wire/management/session-limit.js';
import { RecentValues } from '../../recent-values.js';
import { tokenHash } from '../../tokens/token-record.js';
import type { BoundIp, TokenRecord } from '../../tokens/token-record.js';
import type { NewToken } from '../../tokens/token-store.js';
import type { ValueSeal } from '../keys/value-seal.js';
import { ColumnFault, type Columns } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import type { TokenBoundIpTable, TokenStreamTable, TokenTable } from '../schema/token-tables.js';

/** Encrypts token values for storage. */
export type TokenSeal = Pick<ValueSeal, 'seal' | 'open'>;

/** Never more than fits into the column: one token must not let a statement about several fail. */
export const NEXT_REVISION = sql<number>`case when revision < ${sql.lit(Number.MAX_SAFE_INTEGER)} then revision + 1 else revision end`;

/** The rows of one insert. Databases limit the parameters of a statement, and each row has four. */
const STREAMS_AT_ONCE = 500;

/** Maps tokens to rows, and rows to tokens. A token that cannot be read admits nobody. */
export class SqlTokenRows {
  readonly #seal: TokenSeal;
  readonly #reader: ReturnType<typeof tokenReader>;

  constructor(seal: TokenSeal) {
    this.#seal = seal;
    this.#reader = tokenReader(seal);
  }

  /**
   * The row of a changed token. A value that cannot be opened stays unchanged. The hash is written in any case, because
   * a write of that column notifies the other nodes (migration 0002).
   */
  changedRowOf(token: NewToken) {
    const { value_sealed, ...row } = this.rowOf(token);
    return token.token === '' ? { ...row, value_hash: sql<string>`value_hash` } : { ...row, value_sealed };
  }

  rowOf(token: NewToken): Omit<Insertable<TokenTable>, 'account_id' | 'kind' | 'revision'> {
    const valueHash = tokenHash(token.token);
    return {
      value_hash: valueHash,
      value_sealed: this.#seal.seal(token.token, valueHash),
      label: token.label,
      subscribe_requires_auth: token.subscribeRequiresAuth ? 1 : 0,
      record: token.record ? 1 : 0,
      recording_retention_days: token.recordingRetentionDays,
      is_active: token.isActive ? 1 : 0,
      added_on: token.addedOn,
      expires_on: token.expiresOn,
      allowed_origins: JSON.stringify(token.allowedOrigins),
      allowed_addresses: JSON.stringify(token.allowedIpAddresses),
      denied_addresses: JSON.stringify(token.deniedIpAddresses),
      bind_ips_on_usage: token.bindIpsOnUsage,
      allowed_countries: JSON.stringify(token.allowedCountries),
      denied_countries: JSON.stringify(token.deniedCountries),
      max_sessions: token.maxSessions,
      when_full: token.whenFull,
    };
  }

  async find(db: Database | Transaction<Schema>, id: number): Promise<TokenRecord | undefined> {
    const row = await db.selectFrom('token').selectAll().where('id', '=', id).executeTakeFirst();
    return row && (await this.recordOf(db, row));
  }

  /** Undefined: it cannot be read. */
  async recordOf(db: Database | Transaction<Schema>, row: Selectable<TokenTable>): Promise<TokenRecord | undefined> {
    const [record] = await this.recordsOf(db, [row]);
    return record;
  }

  /** Without the tokens that cannot be read. */
  async recordsOf(db: Database | Transaction<Schema>, rows: readonly Selectable<TokenTable>[]): Promise<TokenRecord[]> {
    const tokens = await this.shownOf(db, rows);
    return tokens.filter(({ unreadable }) => !unreadable);
  }

  /** For the owner: also the tokens that cannot be read. */
  async shownOf(db: Database | Transaction<Schema>, rows: readonly Selectable<TokenTable>[]): Promise<TokenRecord[]> {
    const streams = await readStreams(
      db,
      rows.map(({ id }) => id),
    );
    const tokens = this.#reader.showAll(db, rows);
    const boundIps = await readBoundIps(
      db,
      tokens.flatMap(({ id, bindIpsOnUsage }) => (bindIpsOnUsage > 0 ? [id] : [])),
    );
    return tokens.map((token) => {
      const [ownStreams, ownIps] = [streams.of(token.id), boundIps.of(token.id)];
      const isRead = !token.unreadable && ownStreams && ownIps;
      return Object.freeze(
        isRead
          ? { ...token, streams: sharedStreams(ownStreams), boundIps: ownIps }
          : { ...token, ...CLOSED, streams: NONE, boundIps: NONE },
      );
    });
  }

  /** The token is gone, and what could not be read of it. */
  forget(db: Transaction<Schema>, row: Selectable<TokenTable>): void {
    this.#reader.forget(db, row);
  }
}

const COUNTRY = /^[A-Z]{2}$/;

/** What keeps a token that cannot be read from admitting anybody. */
const CLOSED = { token: '', isActive: false, unreadable: true } as const;

/** A value that cannot be opened is empty, so that its owner sees the token and can refresh it. */
function tokenReader(seal: TokenSeal) {
  return new RowReader<Selectable<TokenTable>, Omit<TokenRecord, 'streams' | 'boundIps'>>({
    table: 'token',
    key: ['id'],
    read: (row) => ({
      id: row.integer('id'),
      accountId: row.text('account_id'),
      kind: row.oneOf('kind', ['publish', 'subscribe']),
      token: row.tolerate(() => row.sealed('value_sealed', seal, row.text('value_hash')), ''),
      label: row.text('label'),
      subscribeRequiresAuth: row.flag('subscribe_requires_auth'),
      record: row.flag('record'),
      recordingRetentionDays: row.orNull('recording_retention_days', row.count),
      allowedOrigins: row.list('allowed_origins'),
      allowedIpAddresses: rangesOf(row, 'allowed_addresses'),
      deniedIpAddresses: rangesOf(row, 'denied_addresses'),
      bindIpsOnUsage: row.count('bind_ips_on_usage'),
      allowedCountries: countriesOf(row, 'allowed_countries'),
      deniedCountries: countriesOf(row, 'denied_countries'),
      maxSessions: row.count('max_sessions'),
      whenFull: row.oneOf('when_full', whenFull.options),
      isActive: row.flag('is_active'),
      addedOn: row.time('added_on'),
      expiresOn: row.orNull('expires_on', row.time),
      revision: row.count('revision'),
    }),
    unreadable: (row) => ({
      ...CLOSED,
      id: row.integer('id'),
      accountId: row.text('account_id'),
      kind: row.tolerate(() => row.oneOf('kind', ['publish', 'subscribe']), 'subscribe'),
      label: row.tolerate(() => row.text('label'), ''),
      subscribeRequiresAuth: false,
      record: false,
      recordingRetentionDays: null,
      allowedOrigins: NONE,
      allowedIpAddresses: NONE,
      deniedIpAddresses: NONE,
      bindIpsOnUsage: 0,
      allowedCountries: NONE,
      deniedCountries: NONE,
      maxSessions: 0,
      whenFull: 'refuse',
      addedOn: row.tolerate(() => row.time('added_on'), 0),
      expiresOn: row.tolerate(() => row.orNull('expires_on', row.time), null),
      revision: row.tolerate(() => row.count('revision'), 0),
    }),
  });
}

type TokenColumns = Columns<Selectable<TokenTable>>;

/** Equal lists are the same. */
const checkedRanges = new WeakSet<readonly string[]>();

/** A denied range that is none would deny nobody. */
function rangesOf(row: TokenColumns, name: 'allowed_addresses' | 'denied_addresses'): readonly string[] {
  const ranges = row.list(name);
  if (checkedRanges.has(ranges)) return ranges;
  try {
    for (const range of ranges) canonicalAddressRange(range);
    checkedRanges.add(ranges);
  } catch (error) {
    if (!(error instanceof InvalidAddressRangeError)) throw error;
    throw new ColumnFault(name, 'has something else than addresses and ranges');
  }
  return ranges;
}

function countriesOf(row: TokenColumns, name: 'allowed_countries' | 'denied_countries'): readonly string[] {
  const countries = row.list(name);
  if (countries.every((country) => COUNTRY.test(country))) return countries;
  throw new ColumnFault(name, 'has something else than countries');
}

const streamReader = new RowReader<Selectable<TokenStreamTable>, StreamRule>({
  table: 'token_stream',
  key: ['token_id', 'position'],
  read: (row) => ({ streamName: row.text('stream_name'), isRegex: row.flag('is_regex') }),
});

const boundIpReader = new RowReader<Selectable<TokenBoundIpTable>, BoundIp>({
  table: 'token_bound_ip',
  key: ['token_id', 'address'],
  read: (row) => ({ address: row.text('address'), boundOn: row.time('bound_on') }),
});

const singleStreams = new RecentValues<readonly StreamRule[]>(4_000);

/** Most tokens name one stream, and many the same one: those share its list. */
function sharedStreams(streams: readonly StreamRule[]): readonly StreamRule[] {
  const [stream, ...others] = streams;
  if (!stream || others.length > 0) return streams;
  const key = `${stream.isRegex} ${stream.streamName}`;
  const known = singleStreams.get(key);
  if (!known) singleStreams.set(key, streams);
  return known ?? streams;
}

/** Increments the revision of a token. Call it before any read: the write locks the row, on every database. */
export function incrementRevision(trx: Transaction<Schema>, id: number) {
  return trx.updateTable('token').set({ revision: NEXT_REVISION }).where('id', '=', id);
}

export async function insertStreams(
  trx: Transaction<Schema>,
  id: number,
  streams: TokenRecord['streams'],
): Promise<void> {
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

/** Rows of tokens, by token. */
class OfTokens<Value> {
  readonly #found = new Map<number, Value[]>();
  readonly #unreadable = new Set<number>();

  add<Row extends { readonly token_id: number }>(
    db: Database | Transaction<Schema>,
    reader: RowReader<Row, Value>,
    row: Row,
  ): void {
    const id = Number(row.token_id);
    const value = reader.find(db, row);
    if (value === undefined) this.#unreadable.add(id);
    else if (!this.#found.get(id)?.push(value)) this.#found.set(id, [value]);
  }

  /** Undefined: one of them cannot be read. */
  of(id: number): readonly Value[] | undefined {
    return this.#unreadable.has(id) ? undefined : (this.#found.get(id) ?? NONE);
  }
}

async function readStreams(db: Database | Transaction<Schema>, ids: readonly number[]): Promise<OfTokens<StreamRule>> {
  const streams = new OfTokens<StreamRule>();
  if (ids.length === 0) return streams;
  const rows = await db
    .selectFrom('token_stream')
    .selectAll()
    .where('token_id', 'in', ids)
    .orderBy('token_id')
    .orderBy('position')
    .execute();
  for (const row of rows) streams.add(db, streamReader, row);
  return streams;
}

async function readBoundIps(db: Database | Transaction<Schema>, ids: readonly number[]): Promise<OfTokens<BoundIp>> {
  const boundIps = new OfTokens<BoundIp>();
  if (ids.length === 0) return boundIps;
  const rows = await db
    .selectFrom('token_bound_ip')
    .selectAll()
    .where('token_id', 'in', ids)
    .orderBy('position')
    .execute();
  for (const row of rows) boundIps.add(db, boundIpReader, row);
  return boundIps;
}

const NONE: readonly never[] = Object.freeze([]);
