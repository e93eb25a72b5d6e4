import type { CompiledToken } from '../rules/access-request.js';
import { parentIdOf, readSelfSigned } from './self-signed-token.js';

/** Where the tokens that we gave out are found. */
export interface KnownTokens {
  findByValue(value: string): CompiledToken | undefined;
  findById(id: number): CompiledToken | undefined;
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads what a bearer presents: the value of a token, or a token that somebody signed with the value of one. */
export class CredentialReader {
  readonly #tokens: KnownTokens;
  /** The self-signed token that was read last. One call asks about it more than once, and the signature costs time. */
  #last: { readonly value: string; readonly parent: CompiledToken; readonly token: CompiledToken } | undefined;

  constructor(tokens: KnownTokens) {
    this.#tokens = tokens;
  }

  /**
   * Undefined for what admits nobody. A token that has run out, or that names another stream, is still one.
   * @param now milliseconds since 1970
   */
  read(value: string, now: number): CompiledToken | undefined {
    // The values that we make are hex digits.
    if (!value.includes('.')) return this.#tokens.findByValue(value);
    const last = this.#last;
    if (last?.value === value && this.#tokens.findById(last.parent.id) === last.parent) return last.token;
    if (!JWT.test(value)) return undefined;
    const check = readSelfSigned(value, (id) => this.#tokens.findById(id), now);
    if (!check.ok) return undefined;
    const { token } = check;
    const parent = this.#tokens.findById(token.id);
    this.#last = parent && { value, parent, token };
    return token;
  }

  /** The parent that a self-signed token says it has, before anything of it is believed. Undefined for all else. */
  parentIdOf(value: string): number | undefined {
    return JWT.test(value) ? parentIdOf(value) : undefined;
  }
}
