import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { secretHash } from '../secret-value.js';

/** For how long a challenge can be answered. */
export const CHALLENGE_TTL_MS = 5 * 60_000;

const EXPIRY_BYTES = 6;
const NONCE_BYTES = 16;
const SIGNED_BYTES = EXPIRY_BYTES + NONCE_BYTES;
const BYTES = SIGNED_BYTES + 32;

/** What a challenge was made for. The answer to one cannot be used for another. */
export type ChallengePurpose = { readonly to: 'sign-in' } | { readonly to: 'add'; readonly memberId: string };

/** A challenge of this server that has not expired. The store refuses its second use. */
export interface CheckedChallenge {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/**
 * Makes and checks the challenges of passkeys. A challenge carries its expiry and a signature of the server, so that
 * asking for one costs no row in the database: everybody may ask. All servers of a database have the same key.
 */
export class PasskeyChallenges {
  readonly #key: KeyObject;
  readonly #now: () => number;

  constructor(key: KeyObject, now: () => number = Date.now) {
    this.#key = key;
    this.#now = now;
  }

  create(purpose: ChallengePurpose): Uint8Array<ArrayBuffer> {
    const signed = Buffer.alloc(SIGNED_BYTES);
    signed.writeUIntBE(this.#now() + CHALLENGE_TTL_MS, 0, EXPIRY_BYTES);
    randomBytes(NONCE_BYTES).copy(signed, EXPIRY_BYTES);
    return new Uint8Array(Buffer.concat([signed, this.#signature(signed, purpose)]));
  }

  /** @param challenge in base64url. Undefined: it is not one of ours for this purpose, or has expired. */
  check(challenge: string, purpose: ChallengePurpose): CheckedChallenge | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== BYTES) return undefined;
    const signed = bytes.subarray(0, SIGNED_BYTES);
    if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#signature(signed, purpose))) return undefined;
    const expiresOn = signed.readUIntBE(0, EXPIRY_BYTES);
    // Of the bytes, because base64url has several spellings of the same bytes.
    return expiresOn > this.#now() ? { hash: secretHash(bytes.toString('base64url')), expiresOn } : undefined;
  }

  #signature(signed: Uint8Array, purpose: ChallengePurpose): Buffer {
    const subject = purpose.to === 'add' ? `add ${purpose.memberId}` : purpose.to;
    return createHmac('sha256', this.#key).update(signed).update(subject).digest();
  }
}
