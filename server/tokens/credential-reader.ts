import type { AdmittingToken } from '../rules/access-request.js';
import { parentIdOf, readSelfSigned } from './self-signed-token.js';

/** Where the tokens that we gave out are found. */
export interface KnownTokens {
  findByValue(value: string): AdmittingToken | undefined;
  findById(id: number): AdmittingToken | undefined;
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads what a bearer presents: the value of a token, or a token that he was signed by somebody who has one. */
export class CredentialReader {
  readonly #tokens: KnownTokens;

  constructor(tokens: KnownTokens) {
    this.#tokens = tokens;
  }

  /**
   * Undefined for what admits nobody. A token that has run out, or that names another stream, is still one.
   * @param now milliseconds since 1970
   */
  read(value: string, now: number): AdmittingToken | undefined {
    // The values that we make are hex digits.
    if (!value.includes('.')) return this.#tokens.findByValue(value);
    if (!JWT.test(value)) return undefined;
    const check = readSelfSigned(value, (id) => this.#tokens.findById(id), now);
    return check.ok ? check.token : undefined;
  }

  /** The value of the token that decides about `value`: its own, or that of the parent it says it was signed with. */
  carrierOf(value: string): string {
    const parentId = JWT.test(value) ? parentIdOf(value) : undefined;
    return (parentId === undefined ? undefined : this.#tokens.findById(parentId)?.token) ?? value;
  }
}
