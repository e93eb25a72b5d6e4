import { GrantLedger } from '../admission/grant-ledger.js';
import type { GrantCheck, GrantSigner } from '../admission/grant-signer.js';
import { GRANT_LIFETIME_S, type Grant } from '../admission/grant.js';
import type { ResumeCheck, ResumeTokens } from '../admission/resume-tokens.js';
import type { PendingSession, PendingSessions } from './pending-sessions.js';

/** What a websocket showed: a grant that was not used yet, and the session that the director's call began with it. */
export interface RedeemedGrant {
  readonly ok: true;
  readonly grant: Grant;
  readonly begun: PendingSession | undefined;
}

export type RedemptionResult = RedeemedGrant | Extract<ResumeCheck, { ok: false }>;

/** Takes what a websocket shows, each once: a grant of the director's, or the resume token of a session before. */
export class GrantRedemption {
  readonly #grants: GrantSigner;
  readonly #resumeTokens: ResumeTokens;
  readonly #begun: PendingSessions;
  readonly #ledger = new GrantLedger();

  constructor(grants: GrantSigner, resumeTokens: ResumeTokens, begun: PendingSessions) {
    this.#grants = grants;
    this.#resumeTokens = resumeTokens;
    this.#begun = begun;
  }

  /** The session of this grant begins without its websocket. @param now milliseconds since 1970 */
  spend(grant: Grant, now: number): void {
    this.#ledger.spend(grant.sessionId, now + GRANT_LIFETIME_S * 1000, now);
  }

  /** @param now milliseconds since 1970 */
  redeem(token: string, role: Grant['role'], now: number): RedemptionResult {
    const check = this.#grants.check(token, now);
    if (check.ok) return this.#redeemGrant(check, role, now);
    if (check.code === 'grant_expired') return check;
    const resumed = this.#resumeTokens.redeem(token, role, now);
    return resumed.ok ? { ok: true, grant: resumed.grant, begun: undefined } : resumed;
  }

  #redeemGrant(
    { grant, expiresAt }: Extract<GrantCheck, { ok: true }>,
    role: Grant['role'],
    now: number,
  ): RedemptionResult {
    if (grant.role !== role) return { ok: false, code: 'grant_invalid' };
    const begun = this.#begun.take(grant.sessionId);
    if (begun) return { ok: true, grant, begun };
    if (!this.#ledger.spend(grant.sessionId, expiresAt, now)) return { ok: false, code: 'grant_spent' };
    return { ok: true, grant, begun: undefined };
  }
}
