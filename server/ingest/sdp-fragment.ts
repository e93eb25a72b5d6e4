import { ApiError } from '../errors.js';
import { attributeValue, readLines } from '../media/sdp/lines.js';

/** The ICE credentials of an SDP offer. They identify its ICE session. */
export interface IceCredentials {
  readonly usernameFragment: string;
  readonly password: string;
}

/** RFC 8839 5.4: 4 to 256 and 22 to 256 characters. Clients use characters that its grammar does not allow. */
const USERNAME_FRAGMENT = /^[\x21-\x7e]{4,256}$/;
const PASSWORD = /^[\x21-\x7e]{22,256}$/;

/**
 * Reads the credentials of an `application/trickle-ice-sdpfrag` body (RFC 8840 section 9), in which a client names the
 * candidates that it found after its offer. The credentials may be before the first `m=` or in each media section.
 * Everything else is ignored.
 * @throws {ApiError} 400 `invalid_sdp_fragment`
 */
export function parseSdpFragment(text: string): IceCredentials {
  const usernameFragment = new CommonValue('ice-ufrag');
  const password = new CommonValue('ice-pwd');
  readLines(text, (letter, value) => {
    if (letter !== 'a' && letter !== 'm') throw invalid('a line is neither a= nor m=');
    if (letter === 'm') return;
    usernameFragment.add(value);
    password.add(value);
  });
  return { usernameFragment: usernameFragment.of(USERNAME_FRAGMENT), password: password.of(PASSWORD) };
}

/** The credentials of an accepted offer. In a bundle every media section has the same ones. */
export function iceCredentialsOf(offer: string): IceCredentials {
  const valueOf = (line: RegExp) => line.exec(offer)?.[1]?.trim() ?? '';
  return {
    usernameFragment: valueOf(/[\r\n]a=ice-ufrag:([^\r\n]*)/),
    password: valueOf(/[\r\n]a=ice-pwd:([^\r\n]*)/),
  };
}

export function sameIceSession(one: IceCredentials, other: IceCredentials): boolean {
  return one.usernameFragment === other.usernameFragment && one.password === other.password;
}

/** An attribute that has one value, however often it is there. */
class CommonValue {
  readonly #name: string;
  #value: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws {ApiError} if there was another value */
  add(attribute: string): void {
    const value = attributeValue(attribute, this.#name);
    if (value === undefined) return;
    this.#value ??= value;
    if (this.#value !== value) throw this.#invalid();
  }

  /** @throws {ApiError} if there was none of this form */
  of(form: RegExp): string {
    if (this.#value === undefined || !form.test(this.#value)) throw this.#invalid();
    return this.#value;
  }

  #invalid(): ApiError {
    return invalid(`a=${this.#name} is missing or invalid`);
  }
}

const invalid = (what: string): ApiError =>
  new ApiError(400, 'invalid_sdp_fragment', `The SDP fragment cannot be used: ${what}`);
