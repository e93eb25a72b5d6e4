import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { streamName } from '../../src/wire/identifiers.js';
import { InvalidRequestError } from '../errors.js';
import type { CompiledToken } from '../rules/access-request.js';
import { checkAddresses } from '../addresses/ip-address.js';
import { checkOrigins } from './restrictions/origin-patterns.js';
import { restrictedBy, type SignedRestrictions } from './compiled-token.js';

/** Node.js takes 16 kB of headers with a request, the address included. */
export const LONGEST_SELF_SIGNED = 8_192;

const HASH = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

// Nothing but the three: `none` needs no key, and the public key of an asymmetric one is no secret to sign with.
// What `crit` lists must be understood (RFC 7515, 4.1.11), and we understand none of it.
const header = z.looseObject({ alg: z.enum(['HS256', 'HS384', 'HS512']), crit: z.optional(z.undefined()) });

const list = z.nullish(z.array(z.string()).check(z.maxLength(1000)));

/** Seconds since 1970, of the times that `Date` can tell. */
const time = z.number().check(z.gte(0), z.lte(8_640_000_000_000));

const claims = z.looseObject({
  streaming: z.looseObject({
    tokenId: z.int().check(z.gte(1)),
    tokenType: z.literal('Subscribe'),
    streamName,
    allowedOrigins: list,
    allowedIpAddresses: list,
  }),
  exp: time,
  nbf: z.optional(time),
});

type Claims = z.infer<typeof claims>;

/** Why a self-signed token is none. The bearer is told only that it is unknown. */
export type SelfSignedFault = 'unreadable' | 'parent_unknown' | 'signature_wrong' | 'not_yet_valid';

export type SelfSignedCheck =
  { readonly ok: true; readonly token: CompiledToken } | { readonly ok: false; readonly fault: SelfSignedFault };

/**
 * Reads a self-signed subscribe token: a JWT with the value of a subscribe token of ours, its parent,
 * as the key (wire-facts 1.5). It stands for the parent and can do less, never more: the one stream, the pages and
 * addresses that both permit, until the earlier of both ends. All else is the parent's, so what becomes of the parent
 * becomes of it. Whether it has run out is left to the rules.
 *
 * At most `LONGEST_SELF_SIGNED` characters, because the grant carries its lists on, in the address of a websocket.
 *
 * By `createHmac`, which answers at once where WebCrypto, and jose with it, would make every viewer wait for a thread.
 *
 * @param now milliseconds since 1970
 */
export function readSelfSigned(
  jwt: string,
  parentById: (id: number) => CompiledToken | undefined,
  now: number,
): SelfSignedCheck {
  if (jwt.length > LONGEST_SELF_SIGNED) return { ok: false, fault: 'unreadable' };
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const { alg } = readPart(header, head) ?? {};
  const said = readPart(claims, body);
  if (!alg || !said) return { ok: false, fault: 'unreadable' };

  const parent = parentById(said.streaming.tokenId);
  if (parent?.kind !== 'subscribe') return { ok: false, fault: 'parent_unknown' };
  const wanted = createHmac(HASH[alg], parent.token).update(`${head}.${body}`).digest('base64url');
  if (!isSame(signature, wanted)) return { ok: false, fault: 'signature_wrong' };
  if (said.nbf !== undefined && now < said.nbf * 1_000) return { ok: false, fault: 'not_yet_valid' };
  return attenuate(parent, said);
}

/** The parent that a self-signed token says it has, before anything of it is believed. */
export function parentIdOf(jwt: string): number | undefined {
  return readPart(claims, jwt.split('.')[1] ?? '')?.streaming.tokenId;
}

function attenuate(parent: CompiledToken, { streaming, exp }: Claims): SelfSignedCheck {
  const signed = readRestrictions(streaming, exp * 1_000);
  if (!signed) return { ok: false, fault: 'unreadable' };
  return { ok: true, token: restrictedBy(signed, streaming.streamName, parent) };
}

/** Undefined where an entry cannot be read: to leave it out would be to permit more than was meant. */
function readRestrictions(streaming: Claims['streaming'], until: number): SignedRestrictions | undefined {
  try {
    return {
      until,
      allowedOrigins: checkOrigins('allowedOrigins', streaming.allowedOrigins ?? []),
      allowedIpAddresses: checkAddresses('allowedIpAddresses', streaming.allowedIpAddresses ?? []),
    };
  } catch (error) {
    if (error instanceof InvalidRequestError) return undefined;
    throw error;
  }
}

function readPart<Schema extends z.ZodMiniType>(schema: Schema, part: string): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function isSame(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}
