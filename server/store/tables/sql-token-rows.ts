import { sql, type Insertable, type Selectable, type Transaction } from 'kysely';
import type { StreamRule } from '../../../src/wire/management/token.js';
import { tokenHash } from '../../tokens/token-record.js';
import type { BoundIp, TokenRecord } from '../../tokens/token-record.js';
import type { NewToken } from '../../tokens/token-store.js';
import { SealBrokenError, type ValueSeal } from '../keys/value-seal.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import type { TokenTable } from '../schema/token-tables.js';

/** Encrypts token values for storage. */
export type TokenSeal = Pick<ValueSeal, 'seal' | 'open'>;

/** The rows of one insert. Databases limit the parameters of a statement, and each row has four. */
const STREAMS_AT_ONCE = 500;

/** Maps tokens to rows, and rows to tokens. */
export class SqlTokenRows {
  readonly #seal: TokenSeal;
  readonly #onUnreadable: (tokenId: number) => void;
  /** The tokens that were reported. */
  readonly #unreadable = new Set<number>();

  /** @param onUnreadable called once for each token whose value cannot be opened */
  constructor(seal: TokenSeal, onUnreadable: (tokenId: number) => void = () => {}) {
    this.#seal = seal;
    this.#onUnreadable = onUnreadable;
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

  async recordOf(db: Database | Transaction<Schema>, row: Selectable<TokenTable>): Promise<TokenRecord> {
    const [record] = await this.recordsOf(db, [row]);
    return record!;
  }

  async recordsOf(db: Database | Transaction<Schema>, rows: readonly Selectable<TokenTable>[]): Promise<TokenRecord[]> {
    const streams = await readStreams(
      db,
      rows.map(({ id }) => id),
    );
    const binding = rows.filter((row) => row.bind_ips_on_usage > 0);
    const boundIps = await readBoundIps(
      db,
      binding.map(({ id }) => id),
    );
    return rows.map((row) =>
      Object.freeze({
        id: Number(row.id),
        accountId: row.account_id,
        kind: row.kind,
        token: this.#open(row),
        label: row.label,
        streams: streams.get(row.id) ?? [],
        subscribeRequiresAuth: row.subscribe_requires_auth !== 0,
        record: row.record === 1,
        recordingRetentionDays: row.recording_retention_days,
        allowedOrigins: readList(row.allowed_origins),
        allowedIpAddresses: readList(row.allowed_addresses),
        deniedIpAddresses: readList(row.denied_addresses),
        bindIpsOnUsage: row.bind_ips_on_usage,
        boundIps: boundIps.get(row.id) ?? NONE,
        allowedCountries: readList(row.allowed_countries),
        deniedCountries: readList(row.denied_countries),
        maxSessions: row.max_sessions,
        whenFull: row.when_full,
        isActive: row.is_active === 1,
        addedOn: Number(row.added_on),
        expiresOn: row.expires_on === null ? null : Number(row.expires_on),
        revision: Number(row.revision),
      }),
    );
  }

  /** @returns empty text for a value that cannot be opened, so that other tokens still load */
  #open({ id, value_sealed, value_hash }: Selectable<TokenTable>): string {
    try {
      return this.#seal.open(value_sealed, value_hash);
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      if (!this.#unreadable.has(Number(id))) this.#onUnreadable(Number(id));
      this.#unreadable.add(Number(id));
      return '';
    }
  }
}

/** Increments the revision of a token. Call it before any read: the write locks the row, on every database. */
export function incrementRevision(trx: Transaction<Schema>, id: number) {
  return trx
    .updateTable('token')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id);
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

async function readStreams(
  db: Database | Transaction<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly StreamRule[]>> {
  const byToken = new Map(ids.map((id) => [id, [] as StreamRule[]]));
  if (ids.length === 0) return byToken;
  const rows = await db
    .selectFrom('token_stream')
    .selectAll()
    .where('token_id', 'in', ids)
    .orderBy('token_id')
    .orderBy('position')
    .execute();
  for (const { token_id, stream_name, is_regex } of rows) {
    byToken.get(token_id)?.push({ streamName: stream_name, isRegex: is_regex === 1 });
  }
  return byToken;
}

async function readBoundIps(
  db: Database | Transaction<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly BoundIp[]>> {
  const byToken = new Map(ids.map((id) => [id, [] as BoundIp[]]));
  if (ids.length === 0) return byToken;
  const rows = await db
    .selectFrom('token_bound_ip')
    .selectAll()
    .where('token_id', 'in', ids)
    .orderBy('position')
    .execute();
  for (const { token_id, address, bound_on } of rows) {
    byToken.get(token_id)?.push({ address, boundOn: Number(bound_on) });
  }
  return byToken;
}

const NONE: readonly never[] = Object.freeze([]);

/** Most lists are empty, and there may be a million of them: they share one array. */
function readList(json: string): readonly string[] {
  return json === '[]' ? NONE : JSON.parse(json);
}
