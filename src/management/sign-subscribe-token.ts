/** The parent token, as the management API returns it. Its value is the signing key: never send it to a viewer. */
export interface SigningParent {
  readonly id: number;
  readonly token: string;
}

export interface SignedTokenClaims {
  /** The only stream of the token. The parent must permit it. */
  readonly streamName: string;
  /** Lifetime in seconds from now. */
  readonly expires: number;
  /** Origins from which the token may be used. The parent must permit the origin, too. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Addresses and CIDR ranges from which the token may be used. The parent must permit the address, too. */
  readonly allowedIpAddresses?: readonly string[] | undefined;
  /** Addresses and CIDR ranges from which the token may not be used, besides those that the parent denies. */
  readonly deniedIpAddresses?: readonly string[] | undefined;
  /** Countries as ISO 3166-1 codes, such as `CH`. The parent must permit the country, too. */
  readonly allowedCountries?: readonly string[] | undefined;
  readonly deniedCountries?: readonly string[] | undefined;
  /** How many may watch with the token at once. The limit of the parent applies too. */
  readonly maxSessions?: number | undefined;
  /** Tokens with the same id count their viewers together, such as all tokens of one customer. */
  readonly id?: string | undefined;
  /** Seconds from now until the token may be used. Absent: at once. */
  readonly notBefore?: number | undefined;
}

export interface SigningOptions {
  /** Absent: `HS256`. */
  readonly algorithm?: 'HS256' | 'HS384' | 'HS512' | undefined;
  /** The time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const HASH = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;

/**
 * Signs a subscribe token without the server: a JWT that permits the same as `parent`, or less. It
 * cannot be revoked on its own: it becomes invalid when the parent does, or when the parent gets a new value. Works in
 * Node, and in browsers on secure pages.
 *
 * @throws {RangeError} `expires` is not in the future
 */
export async function signSubscribeToken(
  parent: SigningParent,
  {
    streamName,
    expires,
    allowedOrigins,
    allowedIpAddresses,
    deniedIpAddresses,
    allowedCountries,
    deniedCountries,
    maxSessions,
    id,
    notBefore,
  }: SignedTokenClaims,
  { algorithm = 'HS256', now = Date.now }: SigningOptions = {},
): Promise<string> {
  if (!(Number.isFinite(expires) && expires > 0)) throw new RangeError('expires must be seconds from now, more than 0');
  const iat = Math.floor(now() / 1_000);
  const unsigned = [
    { alg: algorithm, typ: 'JWT' },
    {
      streaming: {
        tokenId: parent.id,
        tokenType: 'Subscribe',
        streamName,
        allowedOrigins,
        allowedIpAddresses,
        deniedIpAddresses,
        allowedCountries,
        deniedCountries,
        maxSessions,
      },
      jti: id,
      iat,
      nbf: notBefore === undefined ? undefined : iat + notBefore,
      exp: iat + expires,
    },
  ]
    .map((part) => base64url(bytesOf(JSON.stringify(part))))
    .join('.');
  const algorithmOfKey = { name: 'HMAC', hash: HASH[algorithm] };
  const key = await crypto.subtle.importKey('raw', bytesOf(parent.token), algorithmOfKey, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(unsigned));
  return `${unsigned}.${base64url(new Uint8Array(signature))}`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
