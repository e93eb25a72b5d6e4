import { hash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { CreatePublishToken, CreateSubscribeToken, TokenListQuery } from '../../src/wire/management/token.js';
import type { DisabledTokens } from '../../src/wire/management/token-disable.js';
import type { TokenNameQuery } from '../../src/wire/management/token-name-query.js';
import { ApiError, NotFoundError } from '../errors.js';
import { bindingAddress, checkAddresses } from '../addresses/ip-address.js';
import { checkOrigins } from './restrictions/origin-patterns.js';
import { checkPatterns } from './restrictions/stream-patterns.js';
import type { TokenDirectory } from './token-directory.js';
import type { TokenRecord } from './token-record.js';
import { checkBinding, distinct, expiryOf, reviseToken, type TokenChange } from './token-revision.js';
import type { BindingOutcome, NewToken, TokenPage, TokenScope, TokenStore } from './token-store.js';

export type { TokenChange } from './token-revision.js';

export interface TokenServiceEvents {
  /** The token was created, changed or deleted, and the directory knows: whoever it admitted may be decided again. */
  changed: [tokenId: number];
}

/** What a create may say. `subscribeRequiresAuth` is for publish tokens. */
export type TokenFields = CreateSubscribeToken & Partial<Pick<CreatePublishToken, 'subscribeRequiresAuth'>>;

const TOKEN_BYTES = 32;
/** A few hundredths of a second on SQLite, during which nobody else is answered. */
const EXPIRED_AT_ONCE = 200;
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** What may be done with tokens. It knows no HTTP; its errors are meant for the caller. */
export class TokenService extends EventEmitter<TokenServiceEvents> {
  readonly #store: TokenStore;
  readonly #directory: TokenDirectory;
  readonly #now: () => number;

  constructor({ store, directory, now = Date.now }: TokenServiceParts) {
    super();
    this.#store = store;
    this.#directory = directory;
    this.#now = now;
  }

  /** Fills the directory from the store. Once, before anybody is admitted. */
  async load(): Promise<void> {
    await this.#directory.fill(this.#store.all());
  }

  /**
   * @param key creates once: who asks again within a day, under the same key and for the same, gets the same answer
   * @throws {InvalidRequestError} `invalid_pattern`, `binding_with_list`, or a list that cannot be read
   * @throws {ApiError} 422 `idempotency_key_reused`
   */
  async create(scope: TokenScope, fields: TokenFields, key?: string): Promise<TokenRecord> {
    const token = this.#newToken(scope, fields);
    const since = token.addedOn - KEY_LIFETIME_MS;
    const made =
      key === undefined
        ? ({ outcome: 'created', token: await this.#store.create(token) } as const)
        : await this.#store.createOnce(token, { key, fingerprint: fingerprintOf(fields), since });
    if (made.outcome === 'key_reused') {
      throw new ApiError(422, 'idempotency_key_reused', 'This Idempotency-Key was used for something else');
    }
    if (made.outcome === 'created') this.#changed(made.token);
    return made.token;
  }

  /** @throws {NotFoundError} `token_not_found` */
  async get(scope: TokenScope, id: number): Promise<TokenRecord> {
    return (await this.#store.get(scope, id)) ?? notFound(scope, id);
  }

  /**
   * Changes what `change` names and leaves the rest.
   * @throws {NotFoundError} `token_not_found`
   * @throws {InvalidRequestError} `invalid_pattern`, `binding_with_list`, more streams than a token may have, or a
   * list that cannot be read
   */
  async update(scope: TokenScope, id: number, change: TokenChange): Promise<TokenRecord> {
    checkPatterns('streams', change.streams ?? []);
    checkPatterns('addTokenStreams', change.addTokenStreams ?? []);
    const canonical = { ...change, ...canonicalLists(change) };
    const newValue = newTokenValue();
    const revise = (present: TokenRecord) => reviseToken(present, canonical, { now: this.#now(), newValue });
    const token = await this.#store.update(scope, id, revise);
    if (!token) return notFound(scope, id);
    this.#changed(token);
    return token;
  }

  /** @throws {NotFoundError} `token_not_found` */
  async delete(scope: TokenScope, id: number): Promise<void> {
    if (!(await this.#store.delete(scope, id))) notFound(scope, id);
    this.#removed(id);
  }

  /**
   * Deletes every token that had expired at `time`, in milliseconds since 1970. In batches, and others have a turn
   * between two; it stops there when `signal` is aborted.
   * @returns how many were deleted
   */
  async deleteExpired(time: number, signal?: AbortSignal): Promise<number> {
    for (let deleted = 0; ; await setImmediate()) {
      const ids = await this.#store.deleteExpired(time, EXPIRED_AT_ONCE);
      for (const id of ids) this.#removed(id);
      deleted += ids.length;
      if (ids.length < EXPIRED_AT_ONCE || signal?.aborted) return deleted;
    }
  }

  /** Each for itself: one that is not there keeps no other from it. */
  async disable(scope: TokenScope, ids: readonly number[]): Promise<DisabledTokens> {
    const answer: DisabledTokens = { successfulTokens: [], failedTokens: [] };
    for (const tokenId of new Set(ids)) {
      try {
        await this.update(scope, tokenId, { isActive: false });
        answer.successfulTokens.push(tokenId);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        answer.failedTokens.push({ tokenId, errorMessage: error.message });
      }
    }
    return answer;
  }

  async list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage> {
    return await this.#store.list(scope, query);
  }

  /**
   * Takes one of the token's places for an address, where it binds addresses and there is a place. `full` means no.
   * @param address in canonical form
   */
  async bindAddress(id: number, address: string): Promise<BindingOutcome> {
    const { binding, token } = await this.#store.bindAddress(id, bindingAddress(address), this.#now());
    // Nobody who was admitted is refused by it, so it is no change to tell of.
    if (token) this.#directory.put(token);
    return binding;
  }

  #newToken({ accountId, kind }: TokenScope, fields: TokenFields): NewToken {
    checkPatterns('streams', fields.streams);
    const { allowedOrigins = [], allowedIpAddresses = [] } = canonicalLists(fields);
    const bindIpsOnUsage = fields.bindIpsOnUsage ?? 0;
    checkBinding({ bindIpsOnUsage, allowedIpAddresses });
    const now = this.#now();
    return {
      accountId,
      kind,
      token: newTokenValue(),
      label: fields.label,
      streams: distinct(fields.streams),
      subscribeRequiresAuth: fields.subscribeRequiresAuth ?? false,
      allowedOrigins,
      allowedIpAddresses,
      bindIpsOnUsage,
      boundIps: [],
      isActive: true,
      addedOn: now,
      expiresOn: expiryOf(fields.expires ?? null, now),
    };
  }

  #removed(id: number): void {
    this.#directory.remove(id);
    this.emit('changed', id);
  }

  #changed(token: TokenRecord): void {
    this.#directory.put(token);
    this.emit('changed', token.id);
  }
}

export interface TokenServiceParts {
  readonly store: TokenStore;
  readonly directory: TokenDirectory;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Those lists that are named, as they are kept. */
function canonicalLists({ allowedOrigins, allowedIpAddresses }: TokenFields | TokenChange) {
  return {
    ...(allowedOrigins && { allowedOrigins: checkOrigins('allowedOrigins', allowedOrigins) }),
    ...(allowedIpAddresses && { allowedIpAddresses: checkAddresses('allowedIpAddresses', allowedIpAddresses) }),
  };
}

/** Of the fields as they were read, which are always in the same order. */
function fingerprintOf(fields: TokenFields): string {
  return hash('sha256', JSON.stringify(fields), 'hex');
}

function newTokenValue(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function notFound({ kind }: TokenScope, id: number): never {
  throw new NotFoundError('token_not_found', `No ${kind} token with id: ${id}`);
}
