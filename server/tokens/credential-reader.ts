import type { CompiledToken } from './compiled-token.js';
import { parentIdOf, readSelfSigned } from './self-signed-token.js';
import type { TokenDirectory } from './token-directory.js';
import type { TokenFollower } from './token-follower.js';

export interface CredentialReaderOptions {
  readonly directory: Pick<TokenDirectory, 'findByValue' | 'findById' | 'protects'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Undefined: the directory is never stale. */
  readonly follower?: Pick<TokenFollower, 'refreshIfStale' | 'refreshTokenIfStale' | 'refreshParentOf'> | undefined;
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Finds tokens by the credential that a bearer presents: the value of a token, or a self-signed token. */
export class CredentialReader {
  readonly #directory: CredentialReaderOptions['directory'];
  readonly #now: () => number;
  readonly #follower: CredentialReaderOptions['follower'];
  /**
   * The self-signed token that was read last: a call reads it several times, and verifying its signature costs time.
   */
  #last: { readonly value: string; readonly parent: CompiledToken; readonly token: CompiledToken } | undefined;

  constructor({ directory, now, follower }: CredentialReaderOptions) {
    this.#directory = directory;
    this.#now = now;
    this.#follower = follower;
  }

  /** Whether viewers need a token when the stream is live, from the publish tokens that there are. */
  protects(accountId: string, streamName: string): boolean {
    return this.#directory.protects(accountId, streamName, this.#now());
  }

  findById(id: number): CompiledToken | undefined {
    return this.#directory.findById(id);
  }

  /** Undefined for an unknown credential. One that has expired or names another stream is found: the rules decide. */
  findByValue(value: string): CompiledToken | undefined {
    // The values that this server issues are hex digits.
    if (!value.includes('.')) return this.#directory.findByValue(value);
    const last = this.#last;
    if (last?.value === value && this.findById(last.parent.id) === last.parent) return last.token;
    if (!JWT.test(value)) return undefined;
    const check = readSelfSigned(value, (id) => this.findById(id), this.#now());
    if (!check.ok) return undefined;
    const { token } = check;
    const parent = this.findById(token.id);
    this.#last = parent && { value, parent, token };
    return token;
  }

  /**
   * Reads the token that decides about the credential from the database, if the directory may be stale.
   * @param from the address of the bearer
   * @returns undefined, without a wait, if the directory is current
   * @throws {ApiError} 503 `database_unavailable` or `busy`
   */
  refreshIfStale(value: string, from = ''): Promise<void> | undefined {
    if (!this.#follower) return undefined;
    if (!value.includes('.')) return this.#follower.refreshIfStale(value, from);
    const token = this.findByValue(value);
    if (token) return this.#follower.refreshTokenIfStale(token.id);
    const parentId = JWT.test(value) ? parentIdOf(value) : undefined;
    return parentId === undefined ? undefined : this.#follower.refreshParentOf(value, parentId, from);
  }

  /** As `refreshIfStale`, by the id of a token. */
  refreshTokenIfStale(id: number): Promise<void> | undefined {
    return this.#follower?.refreshTokenIfStale(id);
  }
}
