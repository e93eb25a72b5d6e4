import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { maxSessions } from '../../src/wire/management/session-limit.js';
import { countries } from '../../src/wire/management/token-countries.js';
import { streamName } from '../../src/wire/text.js';
import { InvalidRequestError } from '../errors.js';
import { restrictToken, type CompiledToken, type SignedRestrictions } from './compiled-token.js';
import { checkAddresses, checkOrigins } from './restrictions/canonical-lists.js';
import { parseJson } from '../bounded-json.js';

/**
 * In characters. Node.js accepts 16 kB of request headers and URL together, and the URL of the websocket has a grant.
 */
export const LONGEST_SELF_SIGNED = 8_192;

const HASH = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

// No other algorithm: `none` needs no key, and the public key of an asymmetric algorithm is no secret.
// A recipient must understand the extensions that `crit` lists (RFC 7515, 4.1.11), and this server understands none.
const header = z.looseObject({ alg: z.enum(['HS256', 'HS384', 'HS512']), crit: z.optional(z.undefined()) });

const list = z.nullish(z.array(z.string()).check(z.maxLength(1000)));

const COUNTED_AS_HEX_DIGITS = 32;

/** Seconds since 1970, up to the year 9999. What is later is in milliseconds, and would be valid for ever. */
const time = z.number().check(z.gte(0), z.lte(253_402_300_799));

/** Of Millicast's tokens: they permit no less. */
const ignored = z.optional(z.unknown());

const claims = z.looseObject({
  // Strict: a restriction that is misspelt or unknown here would permit more than the signer meant.
  streaming: z.strictObject({
    tokenId: z.int().check(z.gte(1)),
    tokenType: z.literal('Subscribe'),
    streamName,
    allowedOrigins: list,
    allowedIpAddresses: list,
    deniedIpAddresses: list,
    allowedCountries: z.optional(countries),
    deniedCountries: z.optional(countries),
    maxSessions: z.nullish(maxSessions),
    originCluster: ignored,
    tracking: ignored,
    customViewerData: ignored,
  }),
  jti: z.optional(z.unknown()),
  exp: time,
  nbf: z.optional(time),
});

/** Of a token that may be invalid in any other way. */
const claimsOfParent = z.looseObject({ streaming: z.looseObject({ tokenId: z.int().check(z.gte(1)) }) });

type Claims = z.infer<typeof claims>;

/** Why a self-signed token is invalid. The bearer learns only that the token is unknown. */
export type SelfSignedFault = 'unreadable' | 'parent_unknown' | 'signature_wrong' | 'not_yet_valid';

export type SelfSignedCheck =
  { readonly ok: true; readonly token: CompiledToken } | { readonly ok: false; readonly fault: SelfSignedFault };

/**
 * Verifies a self-signed subscribe token: a JWT whose key is the value of one of our subscribe tokens, its parent.
 * The result is the parent with restrictions: one stream, the pages and addresses that both permit,
 * until the earlier of both expiries. Everything else is the parent's, so a change of the parent applies to both. The
 * rules check the expiry.
 *
 * A token is at most `LONGEST_SELF_SIGNED` characters long, because the grant repeats its lists in a websocket URL.
 *
 * Uses `createHmac`, which returns synchronously. WebCrypto, and jose with it, would queue every viewer for a thread.
 *
 * @param now milliseconds since 1970
 */
export function readSelfSigned(
  jwt: string,
  parentById: (id: number) => CompiledToken | undefined,
  now: number,
): SelfSignedCheck {
  if (jwt.length > LONGEST_SELF_SIGNED) return { ok: false, fault: 'unreadable' };
  const [head = '', body = '', signature = ''] = jwt.split('.', 3);
  const { alg } = readPart(header, head) ?? {};
  const claimed = readPart(claims, body);
  if (!alg || !claimed) return { ok: false, fault: 'unreadable' };

  const parent = parentById(claimed.streaming.tokenId);
  if (parent?.kind !== 'subscribe') return { ok: false, fault: 'parent_unknown' };
  const expected = createHmac(HASH[alg], parent.token).update(`${head}.${body}`).digest('base64url');
  if (!isEqual(signature, expected)) return { ok: false, fault: 'signature_wrong' };
  if (claimed.nbf !== undefined && now < claimed.nbf * 1_000) return { ok: false, fault: 'not_yet_valid' };
  return attenuate(parent, claimed, signature);
}

/** The id of the parent that a self-signed token names. Nothing of the token is verified. */
export function parentIdOf(jwt: string): number | undefined {
  return readPart(claimsOfParent, jwt.split('.', 2)[1] ?? '')?.streaming.tokenId;
}

function attenuate(parent: CompiledToken, claims: Claims, signature: string): SelfSignedCheck {
  const { streaming } = claims;
  const signed = readRestrictions(claims, signature);
  if (!signed) return { ok: false, fault: 'unreadable' };
  return { ok: true, token: restrictToken(signed, streaming.streamName, parent) };
}

/** Undefined if any entry is invalid: ignoring an entry could permit more than the signer meant. */
function readRestrictions({ streaming, exp, jti }: Claims, signature: string): SignedRestrictions | undefined {
  const maxSessions = streaming.maxSessions ?? 0;
  try {
    return {
      until: exp * 1_000,
      allowedOrigins: checkOrigins('allowedOrigins', streaming.allowedOrigins ?? []),
      allowedIpAddresses: checkAddresses('allowedIpAddresses', streaming.allowedIpAddresses ?? []),
      deniedIpAddresses: checkAddresses('deniedIpAddresses', streaming.deniedIpAddresses ?? []),
      allowedCountries: streaming.allowedCountries ?? [],
      deniedCountries: streaming.deniedCountries ?? [],
      maxSessions,
      id: maxSessions > 0 ? countedAs(jti, signature) : '',
    };
  } catch (error) {
    if (error instanceof InvalidRequestError) return undefined;
    throw error;
  }
}

/** Short, because grants carry it. Nobody can choose the signature, and only the signer can choose the `jti`. */
function countedAs(jti: unknown, signature: string): string {
  return hash('sha256', typeof jti === 'string' ? `jti:${jti}` : signature, 'hex').slice(0, COUNTED_AS_HEX_DIGITS);
}

function readPart<Schema extends z.ZodMiniType>(schema: Schema, part: string): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(parseJson(Buffer.from(part, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
