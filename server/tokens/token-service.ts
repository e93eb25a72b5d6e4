import { hash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  CreatePublishToken,
  CreateSubscribeToken,
  TokenListQuery,
  TokenNameQuery,
} from '../../src/wire/management/token.js';
import type { BulkAction, BulkResult } from '../../src/wire/management/token-bulk.js';
import type { DisabledTokens } from '../../src/wire/management/token-disable.js';
import { ApiError, ConflictError, InvalidRequestError, NotFoundError } from '../errors.js';
import { bindingAddress } from '../addresses/ip-address.js';
import { FairLimit } from '../fair-limit.js';
import { Emitter } from '../faults/emitter.js';
import { checkPatterns } from './restrictions/stream-patterns.js';
import { checkedLists, faultOf } from './checked-lists.js';
import { tokensOfTable } from './import/import-tokens.js';
import type { TokenDirectory } from './token-directory.js';
import type { TokenRecord } from './token-record.js';
import {
  checkBinding,
  distinct,
  distinctRules,
  expiryAfter,
  reviseToken,
  type PublishOnly,
  type TokenChange,
} from './token-revision.js';
import type { BindingOutcome, NewToken, TokenPage, TokenScope, TokenStore } from './token-store.js';

export type { TokenChange } from './token-revision.js';

export interface TokenServiceEvents {
  /** The token was created, changed or deleted, by this process or another one. The directory has the change. */
  changed: [tokenId: number];
}

/** The fields of a new token. Those of `PublishOnly` are for publish tokens, `maxSessions` and `whenFull` are not. */
export type TokenFields = CreateSubscribeToken & Partial<Pick<CreatePublishToken, PublishOnly>>;

const TOKEN_BYTES = 32;
/** The most program instructions of the patterns of all tokens of a file: 50 for each token. */
const MAX_IMPORTED_PROGRAM = 50_000;
/** Deleting these takes SQLite some hundredths of a second, and it blocks the process. */
const EXPIRED_BATCH = 200;
/** Each has its patterns compiled. */
const PUT_IN_A_TURN = 50;
const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** The operations on tokens. Knows nothing of HTTP; its errors are meant for the caller. */
export class TokenService extends Emitter<TokenServiceEvents> {
  readonly #store: TokenStore;
  readonly #directory: TokenDirectory;
  readonly #now: () => number;

  readonly #knowsCountries: boolean;
  readonly #patternChecks = new FairLimit({ atOnce: 2, ofOne: 1 });

  constructor({ store, directory, now = Date.now, knowsCountries = false }: TokenServiceOptions) {
    super('tokens');
    this.#store = store;
    this.#directory = directory;
    this.#now = now;
    this.#knowsCountries = knowsCountries;
    directory.on('changed', (id) => this.emit('changed', id));
  }

  /** Fills the directory from the store. Call once, before the first admission, where no follower fills it. */
  async load(): Promise<void> {
    await this.#directory.fill(this.#store.all());
  }

  /**
   * @param key makes the call idempotent: within a day, the same key with the same fields returns the same token
   * @throws {InvalidRequestError} `invalid_pattern`, `binding_with_list`, `invalid_origin` or `invalid_address`
   * @throws {ApiError} 422 `idempotency_key_reused`
   */
  async create(scope: TokenScope, fields: TokenFields, key?: string): Promise<TokenRecord> {
    const fault = await this.#patternFault(scope, fields);
    const token = this.#newToken(scope, fields, fault);
    const since = token.addedOn - IDEMPOTENCY_KEY_LIFETIME_MS;
    const creation =
      key === undefined
        ? ({ outcome: 'created', token: await this.#store.create(token) } as const)
        : await this.#store.createOnce(token, { key, fingerprint: fingerprintOf(fields), since });
    if (creation.outcome === 'key_reused') {
      const message = 'This Idempotency-Key was used with other fields; use a new key for a new token';
      throw new ApiError(422, 'idempotency_key_reused', message);
    }
    if (creation.outcome === 'created') this.#directory.put(creation.token);
    return creation.token;
  }

  /**
   * Creates the tokens of a table: all of them or none.
   * @throws {InvalidRequestError} `csv_unreadable`; `import_refused`, with what is wrong in each line
   */
  async import(scope: TokenScope, csv: string, { parse, dryRun }: ImportOptions): Promise<Imported> {
    let programSize = 0;
    const check = (fields: TokenFields): void => {
      // Compiling takes some microseconds for each instruction.
      if (programSize > MAX_IMPORTED_PROGRAM) throw tooComplexTogether();
      const fault = faultOf(() => (programSize += checkPatterns('streams', fields.streams)));
      this.#newToken(scope, fields, fault);
    };
    const lines = await tokensOfTable(csv, { kind: scope.kind, parse, check, now: this.#now() });
    if (programSize > MAX_IMPORTED_PROGRAM) throw tooComplexTogether();
    if (dryRun) return { count: lines.length, tokens: [] };
    const made = lines.map(({ fields, isActive }) => ({ ...this.#newToken(scope, fields), isActive }));
    const tokens = await this.#store.createSeveral(made);
    for (const [index, token] of tokens.entries()) {
      this.#directory.put(token);
      if (index % PUT_IN_A_TURN === 0) await setImmediate();
    }
    return { count: lines.length, tokens };
  }

  /** @throws {NotFoundError} `token_not_found` */
  async get(scope: TokenScope, id: number): Promise<TokenRecord> {
    return (await this.#store.get(scope, id)) ?? notFound(scope, id);
  }

  /**
   * Changes the fields that `change` names and keeps the others.
   * @param check gets the record as it is before the change. If it throws, nothing changes.
   * @throws {NotFoundError} `token_not_found`
   * @throws {InvalidRequestError} `invalid_pattern`, `binding_with_list`, `invalid_origin`, `invalid_address`, or
   * `invalid_request` for more streams than a token may have
   */
  async update(
    scope: TokenScope,
    id: number,
    change: TokenChange,
    check: (present: TokenRecord) => void = () => {},
  ): Promise<TokenRecord> {
    const fault = await this.#patternFault(scope, change);
    const canonical = { ...change, ...checkedLists(change, fault, this.#knowsCountries) };
    const newValue = newTokenValue();
    const revise = (present: TokenRecord) => {
      check(present);
      return reviseToken(present, canonical, { now: this.#now(), newValue });
    };
    const token = await this.#store.update(scope, id, revise);
    if (!token) return notFound(scope, id);
    this.#directory.put(token);
    return token;
  }

  /** @throws {NotFoundError} `token_not_found` */
  async delete(scope: TokenScope, id: number): Promise<void> {
    if (!(await this.#store.delete(scope, id))) notFound(scope, id);
    this.#directory.remove(id);
  }

  /**
   * Deletes every token that had expired at `time`, in milliseconds since 1970. Works in batches and yields to other
   * work after each. Stops after a batch when `signal` is aborted.
   * @returns how many were deleted
   */
  async deleteExpired(time: number, signal?: AbortSignal): Promise<number> {
    for (let deleted = 0; ; await setImmediate()) {
      const ids = await this.#store.deleteExpired(time, EXPIRED_BATCH);
      for (const id of ids) this.#directory.remove(id);
      deleted += ids.length;
      if (ids.length < EXPIRED_BATCH || signal?.aborted) return deleted;
    }
  }

  /** Disables each token independently: one that is missing or cannot be read does not prevent the others. */
  async disable(scope: TokenScope, ids: readonly number[]): Promise<DisabledTokens> {
    const result: DisabledTokens = { successfulTokens: [], failedTokens: [] };
    for (const tokenId of new Set(ids)) {
      try {
        await this.update(scope, tokenId, { isActive: false });
        result.successfulTokens.push(tokenId);
      } catch (error) {
        if (!(error instanceof NotFoundError || error instanceof ConflictError)) throw error;
        result.failedTokens.push({ tokenId, errorMessage: error.message });
      }
    }
    return result;
  }

  /** Changes each token independently: one that is missing or cannot be read does not prevent the others. */
  async changeSeveral(scope: TokenScope, action: BulkAction, ids: readonly number[]): Promise<BulkResult[]> {
    const results: BulkResult[] = [];
    for (const tokenId of new Set(ids)) {
      try {
        if (action === 'delete') await this.delete(scope, tokenId);
        else await this.update(scope, tokenId, { isActive: action === 'enable' });
        results.push({ tokenId, done: true });
      } catch (error) {
        if (!(error instanceof NotFoundError || error instanceof ConflictError)) throw error;
        results.push({ tokenId, done: false, code: error.code, message: error.message });
      }
    }
    return results;
  }

  async list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage> {
    return await this.#store.list(scope, query);
  }

  /**
   * Binds an address to the token, if the token binds addresses and has not bound the maximum. `full`: it has.
   * @param address in canonical form
   */
  async bindAddress(id: number, address: string): Promise<BindingOutcome> {
    const { binding, token } = await this.#store.bindAddress(id, bindingAddress(address), this.#now());
    if (token) this.#directory.putBinding(token);
    return binding;
  }

  /**
   * Compiling the patterns of a token takes up to some hundredths of a second, in which the process does nothing else.
   * Whatever an account sends at once, others have their turn after each token.
   * @returns `invalid_pattern`, to be reported together with the faults of other fields
   */
  async #patternFault(
    { accountId }: TokenScope,
    { streams = [], addTokenStreams = [] }: Pick<TokenChange, 'streams' | 'addTokenStreams'>,
  ): Promise<InvalidRequestError | undefined> {
    if (![...streams, ...addTokenStreams].some(({ isRegex }) => isRegex)) return undefined;
    return await this.#patternChecks.run(accountId, async () => {
      await setImmediate();
      return faultOf(() => {
        checkPatterns('streams', streams);
        checkPatterns('addTokenStreams', addTokenStreams);
      });
    });
  }

  #newToken({ accountId, kind }: TokenScope, fields: TokenFields, fault?: InvalidRequestError): NewToken {
    const patternFault = fault ?? faultOf(() => checkPatterns('streams', fields.streams));
    const lists = checkedLists(fields, patternFault, this.#knowsCountries);
    const { allowedOrigins = [], allowedIpAddresses = [], deniedIpAddresses = [] } = lists;
    const bindIpsOnUsage = fields.bindIpsOnUsage ?? 0;
    checkBinding({ bindIpsOnUsage, allowedIpAddresses });
    const now = this.#now();
    return {
      accountId,
      kind,
      token: newTokenValue(),
      label: fields.label,
      streams: distinctRules(fields.streams),
      subscribeRequiresAuth: fields.subscribeRequiresAuth ?? false,
      record: fields.record ?? false,
      recordingRetentionDays: fields.recordingRetentionDays ?? null,
      allowedOrigins,
      allowedIpAddresses,
      deniedIpAddresses,
      allowedCountries: distinct(fields.allowedCountries),
      deniedCountries: distinct(fields.deniedCountries),
      bindIpsOnUsage,
      boundIps: [],
      maxSessions: fields.maxSessions ?? 0,
      whenFull: fields.whenFull ?? 'refuse',
      isActive: true,
      addedOn: now,
      expiresOn: expiryAfter(fields.expires ?? null, now),
    };
  }
}

export interface ImportOptions {
  /** The schema of a new token. @throws {InvalidRequestError} */
  readonly parse: (body: unknown) => TokenFields;
  /** Only checks the table. */
  readonly dryRun: boolean;
}

export interface Imported {
  /** How many tokens the table describes. */
  readonly count: number;
  /** In the order of the table. */
  readonly tokens: readonly TokenRecord[];
}

export interface TokenServiceOptions {
  readonly store: TokenStore;
  readonly directory: TokenDirectory;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Whether the server finds the countries of addresses. Absent: it does not, and lists of countries are refused. */
  readonly knowsCountries?: boolean | undefined;
}

/** Identifies the fields of a create. Parsed fields are always in the same order. */
function fingerprintOf(fields: TokenFields): string {
  return hash('sha256', JSON.stringify(fields), 'hex');
}

function tooComplexTogether(): InvalidRequestError {
  return new InvalidRequestError(
    { streams: ['the patterns of this file are too complex together; simplify them or split the file'] },
    { code: 'invalid_pattern' },
  );
}

function newTokenValue(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function notFound({ kind }: TokenScope, id: number): never {
  throw new NotFoundError('token_not_found', `No ${kind} token with id: ${id}`);
}
