import type { TokenListQuery } from '../../src/wire/management/token.js';
import type { TokenNameQuery } from '../../src/wire/management/token-name-query.js';
import type { TokenKind, TokenRecord } from './token-record.js';

export type NewToken = Omit<TokenRecord, 'id' | 'revision'>;

/** Whose tokens, and which of them: nothing outside it is ever read or written. */
export interface TokenScope {
  readonly accountId: string;
  readonly kind: TokenKind;
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** Of all pages together. */
  readonly total: number;
}

/** Whether the address has a place. A token that is gone has none to give. */
export type BindingOutcome = 'bound' | 'already_bound' | 'full';

export interface BindingResult {
  readonly binding: BindingOutcome;
  /** As it is then. */
  readonly token: TokenRecord | undefined;
}

/** Names a create, so that it is done once however often it is asked for. */
export interface IdempotencyKey {
  readonly key: string;
  /** Of what is asked for. */
  readonly fingerprint: string;
  /** Answers from before are forgotten. Milliseconds since 1970. */
  readonly since: number;
}

export type IdempotentCreation =
  { readonly outcome: 'created' | 'repeated'; readonly token: TokenRecord } | { readonly outcome: 'key_reused' };

/**
 * Where tokens are kept. What was answered is on disk; of two changes to one token the later sees the earlier.
 *
 * Every implementation passes test/server/store/tables/token-store.contract.ts.
 */
export interface TokenStore {
  /** Its account must exist. Ids are never given twice. */
  create(token: NewToken): Promise<TokenRecord>;
  /** As `create`, once for each key of an account and kind: the answer is then repeated, even if the token has changed. */
  createOnce(token: NewToken, key: IdempotencyKey): Promise<IdempotentCreation>;
  get(scope: TokenScope, id: number): Promise<TokenRecord | undefined>;
  /**
   * Undefined when there is no such token in the scope. `revise` gets the present record and cannot change id, account
   * or kind. What it throws, this throws, and nothing is changed.
   */
  update(scope: TokenScope, id: number, revise: (present: TokenRecord) => NewToken): Promise<TokenRecord | undefined>;
  /** Whether there was one to delete. */
  delete(scope: TokenScope, id: number): Promise<boolean>;
  /**
   * Deletes tokens of every account that had expired at `time`, `most` of them at most, those that expired first.
   * @returns their ids; fewer than `most` when no more are left
   */
  deleteExpired(time: number, most: number): Promise<readonly number[]>;
  /** Those with the same name or time are in order of id. */
  list(scope: TokenScope, query: TokenListQuery | TokenNameQuery): Promise<TokenPage>;
  /**
   * Records `address` if there is room, in one step: two who arrive together, at whichever node, never both take the
   * last place. A token that binds nothing has every address bound already.
   */
  bindAddress(id: number, address: string, now: number): Promise<BindingResult>;
  /** Whosever it is. */
  find(id: number): Promise<TokenRecord | undefined>;
  findByValue(value: string): Promise<TokenRecord | undefined>;
  /** Which revision each token of every account is at. */
  revisions(): AsyncIterable<Pick<TokenRecord, 'id' | 'revision'>>;
  /** Every token of every account. */
  all(): AsyncIterable<TokenRecord>;
}
