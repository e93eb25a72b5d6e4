import { timingSafeEqual, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { GRANT_LIFETIME_S, type Grant } from './grant.js';
import { HmacSha256 } from './hmac-sha256.js';

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
    }),
  ),
  origin: z.nullable(z.string()),
  address: z.string(),
  resumes: z.nullable(z.string()),
});

export type GrantCheck =
  { ok: true; grant: Grant; expiresAt: number } | { ok: false; code: 'grant_invalid' | 'grant_expired' };

/**
 * Writes grants as HS256 JWTs and reads them back. The claims are those that existing clients decode
 * (wire-facts 2.3): they need `millicast.streamName`, and `millicast.record` to know that nothing is recorded.
 */
export class GrantSigner {
  readonly #hmac: HmacSha256;
  readonly #lifetimeS: number;

  constructor(key: KeyObject, lifetimeS = GRANT_LIFETIME_S) {
    this.#hmac = new HmacSha256(key);
    this.#lifetimeS = lifetimeS;
  }

  /** @param now milliseconds since 1970 */
  sign(grant: Grant, now: number): string {
    const iat = Math.floor(now / 1000);
    const body = JSON.stringify({
      iss: ISSUER,
      iat,
      exp: iat + this.#lifetimeS,
      jti: grant.sessionId,
      millicast: {
        type: grant.role,
        streamAccountId: grant.accountId,
        streamName: grant.streamName,
        record: false,
      },
      tokenId: grant.tokenId,
      tokenPrint: grant.tokenPrint,
      signed: grant.signed,
      origin: grant.origin,
      address: grant.address,
      resumes: grant.resumes,
    });
    const unsigned = `${HEADER}.${Buffer.from(body).toString('base64url')}`;
    return `${unsigned}.${this.#hmac.sign(unsigned)}`;
  }

  /** @param now milliseconds since 1970 */
  check(jwt: string, now: number): GrantCheck {
    const [header, body, signature, ...rest] = jwt.split('.');
    if (header !== HEADER || !body || !signature || rest.length > 0) return { ok: false, code: 'grant_invalid' };

    const given = Buffer.from(signature);
    const wanted = Buffer.from(this.#hmac.sign(`${header}.${body}`));
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { ok: false, code: 'grant_invalid' };

    const reading = claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
    // Signed by another version of this server, which wrote other claims. Its clients ask the director for a new one.
    if (!reading.success) return { ok: false, code: 'grant_invalid' };
    const { exp, jti, millicast, tokenId, tokenPrint, signed, origin, address, resumes } = reading.data;
    if (now >= exp * 1000) return { ok: false, code: 'grant_expired' };
    const { type: role, streamAccountId: accountId, streamName } = millicast;
    const token = { tokenId, tokenPrint, signed };
    const grant = { role, accountId, streamName, sessionId: jti, ...token, origin, address, resumes };
    return { ok: true, grant, expiresAt: exp * 1000 };
  }
}
