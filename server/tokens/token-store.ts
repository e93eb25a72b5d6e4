import type { TokenListQuery } from '../../src/wire/token.js';
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

/**
 * Where tokens are kept. What was answered is on disk; of two changes to one token the later sees the earlier.
 *
 * Every implementation passes test/server/store/token-store.contract.ts.
 */
export interface TokenStore {
  /** Its account must exist. Ids are never given twice. */
  create(token: NewToken): Promise<TokenRecord>;
  get(scope: TokenScope, id: number): Promise<TokenRecord | undefined>;
  /**
   * Undefined when there is no such token in the scope. `revise` gets the present record and cannot change id, account
   * or kind. What it throws, this throws, and nothing is changed.
   */
  update(scope: TokenScope, id: number, revise: (present: TokenRecord) => NewToken): Promise<TokenRecord | undefined>;
  /** Whether there was one to delete. */
  delete(scope: TokenScope, id: number): Promise<boolean>;
  /** Those with the same name or time are in order of id. */
  list(scope: TokenScope, query: TokenListQuery): Promise<TokenPage>;
  /** Every token of every account. */
  all(): AsyncIterable<TokenRecord>;
}
