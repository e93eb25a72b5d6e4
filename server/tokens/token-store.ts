import type { TokenListQuery, TokenNameQuery } from '../../src/wire/management/token.js';
import type { TokenKind, TokenRecord } from './token-record.js';

export type NewToken = Omit<TokenRecord, 'id' | 'revision'>;

/** One kind of token of one account. Nothing outside the scope is read or written. */
export interface TokenScope {
  readonly accountId: string;
  readonly kind: TokenKind;
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The number of tokens on all pages. */
  readonly total: number;
}

/** Whether the address is bound. `full`: the token binds no more addresses, or does not exist. */
export type BindingOutcome = 'bound' | 'already_bound' | 'full';

export interface BindingResult {
  readonly binding: BindingOutcome;
  /** The token after the binding. Undefined: it does not exist. */
  readonly token: TokenRecord | undefined;
}

/** Makes a create idempotent: repeated calls with the same key create one token. */
export interface IdempotencyKey {
  readonly key: string;
  /** Identifies the fields of the create. */
  readonly fingerprint: string;
  /** Keys that were used before this time are forgotten. Milliseconds since 1970. */
  readonly since: number;
}

export type IdempotentCreation =
  { readonly outcome: 'created' | 'repeated'; readonly token: TokenRecord } | { readonly outcome: 'key_reused' };

/**
 * Stores tokens. An acknowledged change is on disk. Changes of one token are serialized: each sees the one before.
 *
 * Every implementation passes test/server/store/tables/token-store.contract.ts.
 */
export interface TokenStore {
  /** The account must exist. Ids are never reused. */
  create(token: NewToken): Promise<TokenRecord>;
  /** Creates all of them or none. @returns them in the given order */
  createSeveral(tokens: readonly NewToken[]): Promise<readonly TokenRecord[]>;
  /**
   * As `create`, once for each key of a scope. A repetition returns the token as it was created, even if it has
   * changed.
   */
  createOnce(token: NewToken, key: IdempotencyKey): Promise<IdempotentCreation>;
  get(scope: TokenScope, id: number): Promise<TokenRecord | undefined>;
  /**
   * Undefined if the scope has no such token. `revise` gets the present record and cannot change id, account or kind.
   * If `revise` throws, nothing changes and the error is passed on.
   */
  update(scope: TokenScope, id: number, revise: (present: TokenRecord) => NewToken): Promise<TokenRecord | undefined>;
  /** @returns whether the token existed */
  delete(scope: TokenScope, id: number): Promise<boolean>;
  /**
   * Deletes at most `most` tokens of any account that had expired at `time`, the earliest expiry first.
   * @returns their ids; fewer than `most` when no more are left
   */
  deleteExpired(time: number, most: number): Promise<readonly number[]>;
  /** Tokens with the same name or time are in order of id. */
  list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage>;
  /**
   * Binds `address` to the token unless it has bound its maximum, in one step: of two clients that arrive together, on
   * any node, only one gets the last binding. A token without binding answers `already_bound` for every address.
   */
  bindAddress(id: number, address: string, now: number): Promise<BindingResult>;
  /** Finds a token of any account and kind. */
  find(id: number): Promise<TokenRecord | undefined>;
  findByValue(value: string): Promise<TokenRecord | undefined>;
  /** The revision of each token of every account. */
  revisions(): AsyncIterable<Pick<TokenRecord, 'id' | 'revision'>>;
  /** Every publish token of every account. */
  publishTokens(): AsyncIterable<TokenRecord>;
  /** Every token of every account. */
  all(): AsyncIterable<TokenRecord>;
}
