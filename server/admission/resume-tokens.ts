import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { GrantLedger } from './grant-ledger.js';
import { GrantSigner, type GrantCheck } from './grant-signer.js';
import type { Grant } from './grant.js';

/** How long a client can resume without asking the director again, in seconds. */
export const RESUME_TOKEN_LIFETIME_S = 4 * 3600;

/**
 * Lets a client reopen a lost websocket without asking the director, which avoids a storm of calls when many are lost
 * at once. A resume token is a grant with a longer life. It is good once, and the session that it opens gets the next
 * one. Like every grant it does not admit by itself: `Admission.readmit` decides when it is redeemed.
 */
export class ResumeTokens {
  readonly #signer: GrantSigner;
  readonly #ledger = new GrantLedger();

  constructor(grantKey: KeyObject) {
    // A separate key, so that a grant is never accepted as a resume token or the reverse.
    const key = createHmac('sha256', grantKey).update('resume').digest();
    this.#signer = new GrantSigner(createSecretKey(key), RESUME_TOKEN_LIFETIME_S);
  }

  /** The resume token of a session. @param now milliseconds since 1970 */
  issue(session: Grant, now: number): string {
    const sessionId = randomUUID().replaceAll('-', '');
    return this.#signer.sign({ ...session, sessionId, resumes: session.sessionId }, now);
  }

  /** Spends a resume token for a client in this role. @param now milliseconds since 1970 */
  redeem(token: string, role: Grant['role'], now: number): ResumeCheck {
    const check = this.#signer.check(token, now);
    if (!check.ok) return check;
    const { grant, expiresAt } = check;
    if (grant.role !== role) return { ok: false, code: 'grant_invalid' };
    if (!this.#ledger.spend(grant.sessionId, expiresAt, now)) return { ok: false, code: 'grant_spent' };
    return check;
  }
}

export type ResumeCheck = GrantCheck | { readonly ok: false; readonly code: 'grant_spent' };
