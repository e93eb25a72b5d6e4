/** The token to sign with, as the service answers it. Its value is the key, so this is not for pages that viewers see. */
export interface SigningParent {
  readonly id: number;
  readonly token: string;
}

export interface SignedTokenClaims {
  /** The one stream it is for, which the parent must permit. */
  readonly streamName: string;
  /** Seconds from now. */
  readonly expires: number;
  /** Further pages that it is held to, beside those of the parent: both must permit the page. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Further addresses and CIDR ranges that it is held to, beside those of the parent. */
  readonly allowedIpAddresses?: readonly string[] | undefined;
  /** Seconds from now until it may be used; at once when left out. */
  readonly notBefore?: number | undefined;
}

export interface SigningOptions {
  /** `HS256` unless said. */
  readonly algorithm?: 'HS256' | 'HS384' | 'HS512' | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const HASH = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;

/**
 * Makes a subscribe token without asking the service: a JWT that stands for `parent` and can do less, never more
 * (wire-facts 1.5). It cannot be revoked by itself; it ends with the parent, or when the parent gets a new value.
 * In Node, and in browsers on secure pages.
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
