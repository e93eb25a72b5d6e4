import { ApiError } from '../errors.js';

/** What of an SDP offer names its ICE session: other values are another one. */
export interface IceCredentials {
  readonly usernameFragment: string;
  readonly password: string;
}

/** An `application/trickle-ice-sdpfrag` body (RFC 8840 section 9): what a client found out since its offer. */
export interface SdpFragment extends IceCredentials {
  /** Values of `a=candidate`, as they were sent. */
  readonly candidates: readonly string[];
  readonly endOfCandidates: boolean;
}

/** RFC 8839 5.4: 4 to 256 and 22 to 256 characters. Clients write more than the letters of its grammar. */
const USERNAME_FRAGMENT = /^[\x21-\x7e]{4,256}$/;
const PASSWORD = /^[\x21-\x7e]{22,256}$/;

/**
 * Reads a fragment. Its credentials may stand before the first `m=` or in each media section; attributes that say
 * nothing to us are passed over.
 * @throws {ApiError} 400 `invalid_sdp_fragment`
 */
export function readSdpFragment(text: string): SdpFragment {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (!lines.every((line) => /^[am]=/.test(line))) throw invalid('a line of it is neither a= nor m=');
  const usernameFragment = only(lines, 'ice-ufrag');
  if (!usernameFragment || !USERNAME_FRAGMENT.test(usernameFragment))
    throw invalid('it has no a=ice-ufrag, or a bad one');
  const password = only(lines, 'ice-pwd');
  if (!password || !PASSWORD.test(password)) throw invalid('it has no a=ice-pwd, or a bad one');
  return {
    usernameFragment,
    password,
    candidates: valuesOf(lines, 'candidate'),
    endOfCandidates: lines.includes('a=end-of-candidates'),
  };
}

/** The credentials of an offer that was taken: in a bundle they are the same in every media section. */
export function iceCredentialsOf(offer: string): IceCredentials {
  const lines = offer.split(/\r?\n/);
  const [usernameFragment = ''] = valuesOf(lines, 'ice-ufrag');
  const [password = ''] = valuesOf(lines, 'ice-pwd');
  return { usernameFragment, password };
}

export function sameIceSession(one: IceCredentials, other: IceCredentials): boolean {
  return one.usernameFragment === other.usernameFragment && one.password === other.password;
}

/** The value that every line of this name has; undefined when there is none, or when they differ. */
function only(lines: readonly string[], name: string): string | undefined {
  const [first, ...rest] = valuesOf(lines, name);
  return rest.every((value) => value === first) ? first : undefined;
}

function valuesOf(lines: readonly string[], name: string): string[] {
  const prefix = `a=${name}:`;
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length).trim());
}

const invalid = (what: string): ApiError =>
  new ApiError(400, 'invalid_sdp_fragment', `The SDP fragment cannot be used: ${what}`);
