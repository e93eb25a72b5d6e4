import type { GrantLedger } from '../admission/grant-ledger.js';
import type { GrantCheck, GrantSigner } from '../admission/grant-signer.js';
import type { Grant } from '../admission/grant.js';
import type { ResumeCheck, ResumeTokens } from '../admission/resume-tokens.js';
import type { PendingSession, PendingSessions } from './pending-sessions.js';

/** A grant that was not used before, and the session that the director's call started with it. */
export interface RedeemedGrant {
  readonly ok: true;
  readonly grant: Grant;
  readonly pending: PendingSession | undefined;
}

export type RedemptionResult =
  | RedeemedGrant
  | Extract<ResumeCheck, { ok: false }>
  /** The grant is for another server. */
  | { readonly ok: false; readonly code: 'wrong_node' };

export interface GrantRedemptionDependencies {
  readonly grants: GrantSigner;
  readonly resumeTokens: ResumeTokens;
  readonly pending: Pick<PendingSessions, 'take'>;
  /** The grants that were used. */
  readonly ledger: GrantLedger;
  /** The origin of this server, if several servers are on its database. */
  readonly node?: string | undefined;
}

const WRONG_NODE = Object.freeze({ ok: false, code: 'wrong_node' });

/** Redeems what a websocket shows: a grant of the director, or the resume token of an earlier session. Each works once. */
export class GrantRedemption {
  readonly #dependencies: GrantRedemptionDependencies;

  constructor(dependencies: GrantRedemptionDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param now milliseconds since 1970 */
  redeem(token: string, role: Grant['role'], now: number): RedemptionResult {
    const { grants, resumeTokens } = this.#dependencies;
    const check = grants.check(token, now);
    if (check.ok) return this.#isElsewhere(check.grant) ? WRONG_NODE : this.#redeemGrant(check, role, now);
    if (check.code === 'grant_expired') return check;
    const resumed = resumeTokens.redeem(token, role, now);
    if (resumed.ok && this.#isElsewhere(resumed.grant)) return WRONG_NODE;
    return resumed.ok ? { ok: true, grant: resumed.grant, pending: undefined } : resumed;
  }

  #isElsewhere({ node }: Grant): boolean {
    return node !== undefined && node !== this.#dependencies.node;
  }

  #redeemGrant(
    { grant, expiresAt }: Extract<GrantCheck, { ok: true }>,
    role: Grant['role'],
    now: number,
  ): RedemptionResult {
    if (grant.role !== role) return { ok: false, code: 'grant_invalid' };
    // The director's call spent the grant when it started the session.
    const pending = this.#dependencies.pending.take(grant.sessionId);
    if (pending) return { ok: true, grant, pending };
    if (!this.#dependencies.ledger.spend(grant.sessionId, expiresAt, now)) return { ok: false, code: 'grant_spent' };
    return { ok: true, grant, pending: undefined };
  }
}
