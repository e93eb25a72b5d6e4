import type { Reason } from '../../src/wire/reason.js';
import { streamIdOf } from '../streams/stream-registry.js';
import type { Verdict } from '../rules/verdict.js';
import type { Grant } from './grant.js';

/** A session that was admitted, as far as deciding again is concerned. */
export interface EnforcedSession {
  readonly grant: Grant;
  /** Ends it and tells why. */
  refuse(reason: Reason): void;
}

export interface EnforcementDependencies {
  /** Decides again; see `Admission.recheck`. */
  readonly recheck: (grant: Grant) => Verdict;
  /** When the token runs out, in milliseconds since 1970; null for never, or when it is gone. */
  readonly expiryOf: (tokenId: number) => number | null;
  /** Whether a source of the stream is published with the token now. */
  readonly isPublishedWith: (streamId: string, tokenId: number) => boolean;
  readonly now: () => number;
}

/** The longest that a timer can be set for; later expiries are looked at again then. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Brings a change of mind to those who are inside: when a token changes, each session that it admitted is decided
 * again, and ends if the answer is now no. Sessions of other tokens are not looked at. Expiry is a change, too: one
 * timer waits for the next.
 */
export class Enforcement {
  readonly #dependencies: EnforcementDependencies;
  /** By the token that admitted them. */
  readonly #byToken = new Map<number, Set<EnforcedSession>>();
  /** Those whom a self-signed token admitted: each ends by itself, too. */
  readonly #signed = new Set<EnforcedSession>();
  /** Viewers without a token, by stream: the token of its publisher let them in. */
  readonly #openViewers = new Map<string, Set<EnforcedSession>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;

  constructor(dependencies: EnforcementDependencies) {
    this.#dependencies = dependencies;
  }

  /** Watches over a session from now on, unless the answer is a no: its token changed since it was admitted. */
  begin(session: EnforcedSession): Verdict {
    const verdict = this.#dependencies.recheck(session.grant);
    if (!verdict.allowed) return verdict;
    const { tokenId } = session.grant;
    if (tokenId === null) add(this.#openViewers, streamOf(session), session);
    else {
      add(this.#byToken, tokenId, session);
      this.#wakeAt(this.#dependencies.expiryOf(tokenId));
    }
    if (session.grant.signedUntil !== null) {
      this.#signed.add(session);
      this.#wakeAt(session.grant.signedUntil);
    }
    return verdict;
  }

  end(session: EnforcedSession): void {
    this.#signed.delete(session);
    const { tokenId } = session.grant;
    if (tokenId === null) remove(this.#openViewers, streamOf(session), session);
    else remove(this.#byToken, tokenId, session);
  }

  /** Decides again for whoever the token admitted. */
  tokenChanged(tokenId: number): void {
    for (const session of copyOf(this.#byToken.get(tokenId))) {
      this.#recheck(session);
      if (session.grant.role === 'Publish') this.#recheckOpenViewers(streamOf(session), tokenId);
    }
    if (this.#byToken.has(tokenId)) this.#wakeAt(this.#dependencies.expiryOf(tokenId));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #recheckOpenViewers(streamId: string, tokenId: number): void {
    if (!this.#dependencies.isPublishedWith(streamId, tokenId)) return;
    for (const viewer of copyOf(this.#openViewers.get(streamId))) this.#recheck(viewer);
  }

  #recheck(session: EnforcedSession): void {
    const verdict = this.#dependencies.recheck(session.grant);
    if (!verdict.allowed) session.refuse(verdict.reason);
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
    const { now, expiryOf } = this.#dependencies;
    for (const tokenId of Array.from(this.#byToken.keys())) {
      const expiry = expiryOf(tokenId);
      if (expiry !== null && expiry <= now()) this.tokenChanged(tokenId);
      else this.#wakeAt(expiry);
    }
    for (const session of copyOf(this.#signed)) {
      const { signedUntil } = session.grant;
      if (signedUntil !== null && signedUntil <= now()) this.#recheck(session);
      else this.#wakeAt(signedUntil);
    }
  }
}

function streamOf({ grant }: EnforcedSession): string {
  return streamIdOf(grant.accountId, grant.streamName);
}

/** Whoever is refused leaves the set while it is gone through. */
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
