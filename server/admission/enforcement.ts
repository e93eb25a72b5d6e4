import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { streamIdOf } from '../streams/stream-registry.js';
import type { Verdict } from '../rules/verdict.js';
import type { Grant } from './grant.js';

/** A session that was admitted, as far as deciding again is concerned. */
export interface EnforcedSession {
  readonly grant: Grant;
  /** Ends it and tells why. */
  refuse(reason: RuleRefusalCode): void;
}

/** Decides again about an admitted session; see `Admission.recheck`. */
export interface GrantRechecker {
  recheck(grant: Grant): Verdict;
}

/** The tokens and when they expire. Undefined if the token was deleted. */
export interface TokenExpirySource {
  /** `expiresOn` is in milliseconds since 1970; null for never. */
  findById(tokenId: number): { readonly expiresOn: number | null } | undefined;
}

export interface EnforcementDependencies {
  readonly admission: GrantRechecker;
  readonly tokens: TokenExpirySource;
  readonly now: () => number;
  /** A session that could not be ended. The others are. Must not throw. */
  readonly onFault: (error: unknown, session: EnforcedSession) => void;
}

/** The longest that a timer can be set for; later expiries are looked at again then. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Re-evaluates open sessions when something changes that the rules look at, and ends those that are refused now:
 * - a token changed or expired: the sessions that it admitted, and the guests of streams that are published with it;
 * - other sessions publish a stream: its guests, because the publishers' tokens say whether a viewer needs one.
 *
 * A guest is a viewer without a token. One timer waits for the next expiry.
 */
export class Enforcement {
  readonly #dependencies: EnforcementDependencies;
  /** By the token that admitted them. */
  readonly #byToken = new Map<number, Set<EnforcedSession>>();
  /** Those that a self-signed token admitted: each has an end of its own. */
  readonly #signed = new Set<EnforcedSession>();
  /** By stream. */
  readonly #guests = new Map<string, Set<EnforcedSession>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;

  constructor(dependencies: EnforcementDependencies) {
    this.#dependencies = dependencies;
  }

  /** Watches over a session from now on, unless the answer is a no: its token changed since it was admitted. */
  begin(session: EnforcedSession): Verdict {
    const verdict = this.#dependencies.admission.recheck(session.grant);
    if (!verdict.allowed) return verdict;
    const { tokenId } = session.grant;
    if (tokenId === null) add(this.#guests, streamOf(session), session);
    else {
      add(this.#byToken, tokenId, session);
      this.#wakeAt(this.#expiryOf(tokenId));
    }
    const { signed } = session.grant;
    if (signed) {
      this.#signed.add(session);
      this.#wakeAt(signed.until);
    }
    return verdict;
  }

  end(session: EnforcedSession): void {
    this.#signed.delete(session);
    const { tokenId } = session.grant;
    if (tokenId === null) remove(this.#guests, streamOf(session), session);
    else remove(this.#byToken, tokenId, session);
  }

  /** Decides again for whoever the token admitted. */
  tokenChanged(tokenId: number): void {
    for (const session of copyOf(this.#byToken.get(tokenId))) {
      this.#recheck(session);
      if (session.grant.role === 'Publish') this.streamChanged(streamOf(session));
    }
    if (this.#byToken.has(tokenId)) this.#wakeAt(this.#expiryOf(tokenId));
  }

  /** Decides again for the guests of a stream. Afterwards no media reaches those that were refused. */
  streamChanged(streamId: string): void {
    for (const guest of copyOf(this.#guests.get(streamId))) this.#recheck(guest);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #recheck(session: EnforcedSession): void {
    const { admission, onFault } = this.#dependencies;
    try {
      const verdict = admission.recheck(session.grant);
      if (!verdict.allowed) session.refuse(verdict.reason);
    } catch (error) {
      onFault(error, session);
    }
  }

  #expiryOf(tokenId: number): number | null {
    return this.#dependencies.tokens.findById(tokenId)?.expiresOn ?? null;
  }

  #wakeAt(time: number | null): void {
    if (time === null || time >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = time;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, time - this.#dependencies.now()));
    this.#timer = setTimeout(() => this.#wake(), wait);
    this.#timer.unref();
  }

  /** Ends what has run out, and waits for the next. */
  #wake(): void {
    this.#timerAt = Infinity;
    const { now } = this.#dependencies;
    for (const tokenId of Array.from(this.#byToken.keys())) {
      const expiry = this.#expiryOf(tokenId);
      if (expiry !== null && expiry <= now()) this.tokenChanged(tokenId);
      else this.#wakeAt(expiry);
    }
    for (const session of copyOf(this.#signed)) {
      const until = session.grant.signed?.until ?? null;
      if (until !== null && until <= now()) this.#recheck(session);
      else this.#wakeAt(until);
    }
  }
}

function streamOf({ grant }: EnforcedSession): string {
  return streamIdOf(grant.accountId, grant.streamName);
}

/** A session that is refused leaves the set while it is gone through. */
function copyOf(sessions: ReadonlySet<EnforcedSession> | undefined): EnforcedSession[] {
  return sessions ? Array.from(sessions) : [];
}

function add<Key>(sets: Map<Key, Set<EnforcedSession>>, key: Key, session: EnforcedSession): void {
  const set = sets.get(key);
  if (set) set.add(session);
  else sets.set(key, new Set([session]));
}

function remove<Key>(sets: Map<Key, Set<EnforcedSession>>, key: Key, session: EnforcedSession): void {
  const set = sets.get(key);
  set?.delete(session);
  if (set?.size === 0) sets.delete(key);
}
