import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type {
  CreatePublishToken,
  CreateSubscribeToken,
  StreamRule,
  TokenListQuery,
  UpdatePublishToken,
  UpdateSubscribeToken,
} from '../../src/wire/token.js';
import { InvalidRequestError, NotFoundError } from '../errors.js';
import { checkPatterns } from './stream-patterns.js';
import type { TokenDirectory } from './token-directory.js';
import type { TokenRecord } from './token-record.js';
import type { NewToken, TokenPage, TokenScope, TokenStore } from './token-store.js';

export interface TokenServiceEvents {
  /** The token was created, changed or deleted, and the directory knows: whoever it admitted may be decided again. */
  changed: [tokenId: number];
}

/** What a create may say. `subscribeRequiresAuth` is for publish tokens. */
export type TokenFields = CreateSubscribeToken & Partial<Pick<CreatePublishToken, 'subscribeRequiresAuth'>>;
export type TokenChange = UpdateSubscribeToken & Pick<UpdatePublishToken, 'subscribeRequiresAuth'>;

const TOKEN_BYTES = 32;
const MAX_STREAMS = 1_000;

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
    for await (const token of this.#store.all()) this.#directory.put(token);
  }

  /** @throws {InvalidRequestError} `invalid_pattern` */
  async create({ accountId, kind }: TokenScope, fields: TokenFields): Promise<TokenRecord> {
    checkPatterns('streams', fields.streams);
    const now = this.#now();
    const token = await this.#store.create({
      accountId,
      kind,
      token: newTokenValue(),
      label: fields.label,
      streams: distinct(fields.streams),
      subscribeRequiresAuth: fields.subscribeRequiresAuth ?? false,
      allowedOrigins: [],
      allowedIpAddresses: [],
      bindIpsOnUsage: 0,
      boundIps: [],
      isActive: true,
      addedOn: now,
      expiresOn: fields.expires === undefined ? null : now + fields.expires * 1_000,
    });
    this.#changed(token);
    return token;
  }

  /** @throws {NotFoundError} `token_not_found` */
  async get(scope: TokenScope, id: number): Promise<TokenRecord> {
    return (await this.#store.get(scope, id)) ?? notFound(scope, id);
  }

  /**
   * Changes what `change` names and leaves the rest.
   * @throws {NotFoundError} `token_not_found`
   * @throws {InvalidRequestError} `invalid_pattern`, or more streams than a token may have
   */
  async update(scope: TokenScope, id: number, change: TokenChange): Promise<TokenRecord> {
    checkPatterns('streams', change.streams ?? []);
    checkPatterns('addTokenStreams', change.addTokenStreams ?? []);
    const token = await this.#store.update(scope, id, (present) => revise(present, change, this.#now()));
    if (!token) return notFound(scope, id);
    this.#changed(token);
    return token;
  }

  /** @throws {NotFoundError} `token_not_found` */
  async delete(scope: TokenScope, id: number): Promise<void> {
    if (!(await this.#store.delete(scope, id))) notFound(scope, id);
    this.#directory.remove(id);
    this.emit('changed', id);
  }

  async list(scope: TokenScope, query: TokenListQuery): Promise<TokenPage> {
    return await this.#store.list(scope, query);
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

function revise(present: TokenRecord, change: TokenChange, now: number): NewToken {
  const streams = reviseStreams(present.streams, change);
  return {
    ...present,
    token: change.refreshToken ? newTokenValue() : present.token,
    label: change.label ?? present.label,
    streams,
    subscribeRequiresAuth: change.subscribeRequiresAuth ?? present.subscribeRequiresAuth,
    isActive: change.isActive ?? present.isActive,
    expiresOn: change.expires === undefined ? present.expiresOn : now + change.expires * 1_000,
  };
}

/** Removing comes before adding: to name a stream in both is to replace its rule. */
function reviseStreams(present: TokenRecord['streams'], change: TokenChange): TokenRecord['streams'] {
  if (change.streams) return distinct(change.streams);
  const { addTokenStreams: added = [], removeTokenStreams: removed = [] } = change;
  const streams = distinct([...present.filter(({ streamName }) => !removed.includes(streamName)), ...added]);
  if (added.length > 0) checkStreams(streams);
  return streams;
}

function checkStreams(streams: TokenRecord['streams']): void {
  if (streams.length > MAX_STREAMS) {
    const tooMany = `the token would have ${streams.length} streams, and ${MAX_STREAMS} is the most`;
    throw new InvalidRequestError({ addTokenStreams: [tooMany] });
  }
  checkPatterns('addTokenStreams', streams);
}

function distinct(streams: readonly StreamRule[]): StreamRule[] {
  return [...new Map(streams.map((rule) => [`${rule.isRegex}:${rule.streamName}`, rule])).values()];
}

function newTokenValue(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function notFound({ kind }: TokenScope, id: number): never {
  throw new NotFoundError('token_not_found', `No ${kind} token with id: ${id}`);
}
