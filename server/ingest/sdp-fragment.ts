import { ApiError } from '../errors.js';

/** The ICE credentials of an SDP offer. They identify its ICE session. */
export interface IceCredentials {
  readonly usernameFragment: string;
  readonly password: string;
}

/** An `application/trickle-ice-sdpfrag` body (RFC 8840 section 9): candidates that a client found after its offer. */
export interface SdpFragment extends IceCredentials {
  /** The values of `a=candidate`, unchanged. */
  readonly candidates: readonly string[];
  readonly endOfCandidates: boolean;
}

/** RFC 8839 5.4: 4 to 256 and 22 to 256 characters. Clients use characters that its grammar does not allow. */
const USERNAME_FRAGMENT = /^[\x21-\x7e]{4,256}$/;
const PASSWORD = /^[\x21-\x7e]{22,256}$/;

/**
 * Parses a fragment. The credentials may be before the first `m=` or in each media section. Unknown attributes are
 * ignored.
 * @throws {ApiError} 400 `invalid_sdp_fragment`
 */
export function parseSdpFragment(text: string): SdpFragment {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (!lines.every((line) => /^[am]=/.test(line))) throw invalid('a line is neither a= nor m=');
  const usernameFragment = commonValue(lines, 'ice-ufrag');
  if (!usernameFragment || !USERNAME_FRAGMENT.test(usernameFragment))
    throw invalid('a=ice-ufrag is missing or invalid');
  const password = commonValue(lines, 'ice-pwd');
  if (!password || !PASSWORD.test(password)) throw invalid('a=ice-pwd is missing or invalid');
  return {
    usernameFragment,
    password,
    candidates: valuesOf(lines, 'candidate'),
    endOfCandidates: lines.includes('a=end-of-candidates'),
  };
}

/** The credentials of an accepted offer. In a bundle every media section has the same ones. */
export function iceCredentialsOf(offer: string): IceCredentials {
  const lines = offer.split(/\r?\n/);
  const [usernameFragment = ''] = valuesOf(lines, 'ice-ufrag');
  const [password = ''] = valuesOf(lines, 'ice-pwd');
  return { usernameFragment, password };
}

export function sameIceSession(one: IceCredentials, other: IceCredentials): boolean {
  return one.usernameFragment === other.usernameFragment && one.password === other.password;
}

/** The value of every line with this name. Undefined if there is no such line, or if the values differ. */
function commonValue(lines: readonly string[], name: string): string | undefined {
  const [first, ...rest] = valuesOf(lines, name);
  return rest.every((value) => value === first) ? first : undefined;
}

function valuesOf(lines: readonly string[], name: string): string[] {
  const prefix = `a=${name}:`;
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length).trim());
}

const invalid = (what: string): ApiError =>
  new ApiError(400, 'invalid_sdp_fragment', `The SDP fragment cannot be used: ${what}`);
