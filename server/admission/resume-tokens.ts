import { createHmac, createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { GrantLedger } from './grant-ledger.js';
import { GrantSigner, type GrantCheck } from './grant-signer.js';
import type { Grant } from './grant.js';

/** Long enough for a night without sleep, short enough that whoever stopped watching asks the director again. */
export const RESUME_TOKEN_LIFETIME_S = 4 * 3600;

/**
 * Lets a client whose websocket was lost come back without asking the director, which spares a storm of calls when
 * many are lost at once. A resume token is a grant that lives longer; it is good once, and its session is answered
 * with the next. Like every grant it admits nobody by itself: `Admission.readmit` decides when it is redeemed.
 */
export class ResumeTokens {
  readonly #signer: GrantSigner;
  readonly #ledger = new GrantLedger();

  constructor(grantKey: KeyObject) {
    // A key of its own: neither kind of token can be taken for the other.
    const key = createHmac('sha256', grantKey).update('resume').digest();
    this.#signer = new GrantSigner(createSecretKey(key), RESUME_TOKEN_LIFETIME_S);
  }

  /** For the client of this session. @param now milliseconds since 1970 */
  issue(session: Grant, now: number): string {
    const sessionId = randomUUID().replaceAll('-', '');
    return this.#signer.sign({ ...session, sessionId, resumes: session.sessionId }, now);
  }

  /** Spends it, for a client in this role. @param now milliseconds since 1970 */
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
