import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { GrantSigner, type GrantCheck } from './grant-signer.js';
import type { Grant } from './grant.js';

/** How long a player can use an address of a recording without asking for another, in seconds. */
export const REWIND_PASS_LIFETIME_S = 4 * 3600;

/**
 * Lets the player of an admitted viewer fetch one recording. Players send no headers of ours, so the pass stands in the
 * address: it holds no token, opens nothing else, and does not admit by itself. `Admission.readmit` decides about each
 * request with it.
 */
export class RewindPasses {
  readonly #grantKey: KeyObject;

  constructor(grantKey: KeyObject) {
    this.#grantKey = grantKey;
  }

  /** @param now milliseconds since 1970 */
  issue(recordingId: string, grant: Grant, now: number): string {
    return this.#signer(recordingId).sign({ ...grant, resumes: null, chain: undefined }, now);
  }

  /** @param now milliseconds since 1970 */
  check(recordingId: string, pass: string, now: number): GrantCheck {
    return this.#signer(recordingId).check(pass, now);
  }

  /** A key for each recording, so that a pass is for no other, and never accepted as a grant. */
  #signer(recordingId: string): GrantSigner {
    const key = createHmac('sha256', this.#grantKey).update(`rewind ${recordingId}`).digest();
    return new GrantSigner(createSecretKey(key), REWIND_PASS_LIFETIME_S);
  }
}
