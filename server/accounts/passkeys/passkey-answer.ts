import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { CheckedChallenge } from './passkey-challenges.js';
import { parseJson } from '../../bounded-json.js';

/** Where the dashboard is for the browser of a request. */
export interface PasskeySite {
  /** The host name, without a port (WebAuthn: RP ID). */
  readonly host: string;
  /** The origins that its pages may have. */
  readonly origins: readonly string[];
}

/** Why an answer of an authenticator is refused. Error codes (docs/errors). */
export type PasskeyRefusalCode = 'passkey_challenge_wrong' | 'passkey_site_wrong' | 'passkey_wrong' | 'passkey_unknown';

/** What the browser says that the authenticator signed. */
export interface ClientData {
  readonly challenge: CheckedChallenge;
  /** One of the origins of the site. */
  readonly origin: string;
}

const clientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.optional(z.boolean()),
});

/**
 * Reads and judges the client data of an answer (WebAuthn 5.8.1), which the signature covers.
 * @param json base64url
 * @param check returns undefined for a challenge that is not ours
 */
export function readClientData(
  json: string,
  site: PasskeySite,
  check: (challenge: string) => CheckedChallenge | undefined,
): ClientData | PasskeyRefusalCode {
  const data = parseClientData(json);
  if (!data) return 'passkey_wrong';
  const challenge = check(data.challenge);
  if (!challenge) return 'passkey_challenge_wrong';
  // The dashboard is in no frame: a page of another site must not ask for its passkeys.
  if (data.crossOrigin === true || !site.origins.includes(data.origin)) return 'passkey_site_wrong';
  return { challenge, origin: data.origin };
}

function parseClientData(json: string): z.infer<typeof clientData> | undefined {
  try {
    return clientData.parse(parseJson(Buffer.from(json, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Whether authenticator data, which begins with a hash of the host (WebAuthn 6.1), is for this site. */
export function isForSite(authenticatorData: string, { host }: PasskeySite): boolean {
  const hash = Buffer.from(authenticatorData, 'base64url').subarray(0, 32);
  return hash.length === 32 && timingSafeEqual(hash, createHash('sha256').update(host).digest());
}
