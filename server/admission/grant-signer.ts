import { timingSafeEqual, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { GRANT_LIFETIME_S, type Grant } from './grant.js';
import { HmacSha256 } from './hmac-sha256.js';
import { parseJson } from '../bounded-json.js';

const ISSUER = 'streamgate';
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

const claims = z.looseObject({
  iss: z.literal(ISSUER),
  exp: z.number(),
  jti: z.string(),
  millicast: z.looseObject({
    type: z.enum(['Publish', 'Subscribe']),
    streamAccountId: z.string(),
    streamName: z.string(),
  }),
  tokenId: z.nullable(z.number()),
  tokenPrint: z.nullable(z.string()),
  signed: z.nullable(
    z.object({
      until: z.number(),
      allowedOrigins: z.array(z.string()),
      allowedIpAddresses: z.array(z.string()),
      deniedIpAddresses: z.array(z.string()),
      allowedCountries: z.array(z.string()),
      deniedCountries: z.array(z.string()),
      maxSessions: z.number(),
      id: z.string(),
    }),
  ),
  origin: z.nullable(z.string()),
  address: z.string(),
  resumes: z.nullable(z.string()),
  node: z.optional(z.string()),
  chain: z.optional(z.object({ id: z.string(), turn: z.number() })),
});

/** Text in which JSON escapes nothing. */
const PLAIN = /^[\w .:/@-]*$/;

function json(value: string | object | null): string {
  if (value === null) return 'null';
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

export type GrantCheck =
  { ok: true; grant: Grant; expiresAt: number } | { ok: false; code: 'grant_invalid' | 'grant_expired' };

/**
 * Signs grants as HS256 JWTs and verifies them. Existing clients decode the claims: they need
 * `millicast.streamName`, and `millicast.record`, which says whether a publisher may record.
 */
export class GrantSigner {
  readonly #hmac: HmacSha256;
  readonly #lifetimeS: number;

  constructor(key: KeyObject, lifetimeS = GRANT_LIFETIME_S) {
    this.#hmac = new HmacSha256(key);
    this.#lifetimeS = lifetimeS;
  }

  /**
   * @param now milliseconds since 1970
   * @param mayRecord for the client only: the server decides by the token when it is asked to record
   */
  sign(grant: Grant, now: number, mayRecord = false): string {
    const { accountId, streamName, tokenFingerprint, signed, origin, address, resumes, node, chain } = grant;
    const iat = Math.floor(now / 1000);
    // Concatenated, because every viewer has a grant made: JSON.stringify takes twice as long for all of it at once.
    const body =
      `{"iss":"${ISSUER}","iat":${iat},"exp":${iat + this.#lifetimeS},"jti":${json(grant.sessionId)},` +
      `"millicast":{"type":"${grant.role}","streamAccountId":${json(accountId)},"streamName":${json(streamName)},` +
      `"record":${mayRecord}},"tokenId":${grant.tokenId},"tokenPrint":${json(tokenFingerprint)},` +
      `"signed":${json(signed)},"origin":${json(origin)},"address":${json(address)},"resumes":${json(resumes)}` +
      `${node === undefined ? '' : `,"node":${json(node)}`}${chain === undefined ? '' : `,"chain":${json(chain)}`}}`;
    const unsigned = `${HEADER}.${Buffer.from(body).toString('base64url')}`;
    return `${unsigned}.${this.#hmac.sign(unsigned)}`;
  }

  /** @param now milliseconds since 1970 */
  check(jwt: string, now: number): GrantCheck {
    const [header, body, signature, ...rest] = jwt.split('.', 4);
    if (header !== HEADER || !body || !signature || rest.length > 0) return { ok: false, code: 'grant_invalid' };

    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#hmac.sign(`${header}.${body}`));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return { ok: false, code: 'grant_invalid' };
    }

    const parsed = claims.safeParse(parseJson(Buffer.from(body, 'base64url').toString('utf8')));
    // Another version of this server signed other claims. The client then asks the director for a new grant.
    if (!parsed.success) return { ok: false, code: 'grant_invalid' };
    const {
      exp,
      jti,
      millicast,
      tokenId,
      tokenPrint: tokenFingerprint,
      signed,
      origin,
      address,
      resumes,
      node,
      chain,
    } = parsed.data;
    if (now >= exp * 1000) return { ok: false, code: 'grant_expired' };
    const { type: role, streamAccountId: accountId, streamName } = millicast;
    const token = { tokenId, tokenFingerprint, signed };
    const grant = { role, accountId, streamName, sessionId: jti, ...token, origin, address, resumes };
    const optional = { ...(node !== undefined && { node }), ...(chain && { chain }) };
    return { ok: true, grant: { ...grant, ...optional }, expiresAt: exp * 1000 };
  }
}
