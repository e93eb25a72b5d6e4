import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { GrantSigner, type GrantCheck } from './grant-signer.js';
import type { Grant } from './grant.js';
import { ResumeLedger } from './resume-ledger.js';
import { newSessionId } from './session-id.js';

/** How long a client can resume without asking the director again, in seconds. */
export const RESUME_TOKEN_LIFETIME_S = 4 * 3600;

/**
 * Lets a client reopen a lost websocket without asking the director, which avoids a storm of calls when many are lost
 * at once. A resume token is a grant with a longer life. It is good once, and the session that it opens gets the next
 * one. Like every grant it does not admit by itself: `Admission.readmit` decides when it is redeemed.
 */
export class ResumeTokens {
  readonly #signer: GrantSigner;
  readonly #ledger = new ResumeLedger({ lifetimeMs: RESUME_TOKEN_LIFETIME_S * 1_000 });

  constructor(grantKey: KeyObject) {
    // A separate key, so that a grant is never accepted as a resume token or the reverse.
    const key = createHmac('sha256', grantKey).update('resume').digest();
    this.#signer = new GrantSigner(createSecretKey(key), RESUME_TOKEN_LIFETIME_S);
  }

  /** The resume token of a session. @param now milliseconds since 1970 */
  issue(session: Grant, now: number): string {
    const sessionId = newSessionId();
    const { id, turn } = session.chain ?? { id: session.sessionId, turn: 0 };
    const chain = { id, turn: turn + 1 };
    return this.#signer.sign({ ...session, sessionId, resumes: session.sessionId, chain }, now);
  }

  /** Spends a resume token for a client in this role. @param now milliseconds since 1970 */
  redeem(token: string, role: Grant['role'], now: number): ResumeCheck {
    const check = this.#signer.check(token, now);
    if (!check.ok) return check;
    const { grant, expiresAt } = check;
    if (grant.role !== role) return { ok: false, code: 'grant_invalid' };
    const { address } = grant;
    // A version before did not count: each of its tokens is a chain of its own.
    const { id, turn } = grant.chain ?? { id: grant.sessionId, turn: 0 };
    if (!this.#ledger.spend({ chain: id, turn, address, expiresAt }, now)) return { ok: false, code: 'grant_spent' };
    return check;
  }
}

export type ResumeCheck = GrantCheck | { readonly ok: false; readonly code: 'grant_spent' };
