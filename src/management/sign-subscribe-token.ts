/** The token to sign with, as the management API answers it. Its value is the key: never send it to a viewer. */
export interface SigningParent {
  readonly id: number;
  readonly token: string;
}

export interface SignedTokenClaims {
  /** The one stream of the token, which the parent must permit. */
  readonly streamName: string;
  /** Seconds from now. */
  readonly expires: number;
  /** Origins that it may be used from. The parent must permit the origin, too. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Addresses and CIDR ranges that it may be used from. The parent must permit the address, too. */
  readonly allowedIpAddresses?: readonly string[] | undefined;
  /** Seconds from now until it may be used. Absent: at once. */
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
 * Makes a subscribe token without the server: a JWT that permits what `parent` permits, or less (wire-facts 1.5). It
 * cannot be revoked alone: it ends with the parent, or when the parent gets a new value. Works in Node, and in browsers
 * on secure pages.
 *
 * @throws {RangeError} `expires` is not in the future
 */
export async function signSubscribeToken(
  parent: SigningParent,
  { streamName, expires, allowedOrigins, allowedIpAddresses, notBefore }: SignedTokenClaims,
  { algorithm = 'HS256', now = Date.now }: SigningOptions = {},
): Promise<string> {
  if (!(Number.isFinite(expires) && expires > 0)) throw new RangeError('expires must be seconds from now, more than 0');
  const iat = Math.floor(now() / 1_000);
  const unsigned = [
    { alg: algorithm, typ: 'JWT' },
    {
      streaming: { tokenId: parent.id, tokenType: 'Subscribe', streamName, allowedOrigins, allowedIpAddresses },
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
