import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { after } from '../faults/timers.js';
import type { Verdict } from '../rules/rule.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { Grant } from './grant.js';
import type { ViewingCounts, ViewingsBegun } from './token-viewings.js';

/** An open session, as enforcement sees it. */
export interface EnforcedSession {
  readonly grant: Grant;
  /** Ends the session and sends the reason to its client. */
  refuse(reason: RuleRefusalCode): void;
}

/** The open sessions. The events are emitted synchronously, and `ended` once for each session that was `opened`. */
export interface EnforcedSessions {
  on(event: 'opened' | 'staying' | 'ended', listener: (session: EnforcedSession) => void): unknown;
}

/** The present tokens. */
export interface EnforcedTokens {
  /** `expiresOn` in milliseconds since 1970; null for never. Undefined: the token was deleted. */
  findById(tokenId: number): { readonly expiresOn: number | null; readonly maxSessions: number } | undefined;
  /** The token was created, changed or deleted. */
  on(event: 'changed', listener: (tokenId: number) => void): unknown;
}

export interface EnforcedStreams {
  /** The stream has other publishers than before. Emitted before the media engine learns of a new one. */
  on(event: 'publishers-changed', listener: (streamId: StreamId) => void): unknown;
}

export interface EnforcementOptions {
  readonly sessions: EnforcedSessions;
  readonly tokens: EnforcedTokens;
  readonly streams: EnforcedStreams;
  /** Viewings began on another server. Absent: there is no other. */
  readonly onViewingElsewhere?: ((listener: (begun: ViewingsBegun) => void) => void) | undefined;
  /** Absent: every token that has a limit may be over it. */
  readonly viewings?: ViewingCounts | undefined;
  /** Decides again; see `Admission.recheck`. */
  readonly admission: { recheck(grant: Grant): Verdict };
  readonly now: () => number;
  /** A session could not be ended. The other sessions are. Must not throw. */
  readonly onFault: (error: unknown, session: EnforcedSession) => void;
}

/** The longest time that a timer can be set for. Later expiries are checked again then. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Re-evaluates open sessions when something changes that the rules read, and ends those that are refused now:
 * - a token changed or expired: the sessions that it admitted, and the guests of streams that are published with it;
 * - a viewer who was told to leave stays: another one may have the place;
 * - the publishers of a stream changed: its guests, because the publishers' tokens decide whether a viewer needs one.
 *
 * A guest is a viewer without a token. One timer waits for the next expiry.
 */
export class Enforcement {
  readonly #options: EnforcementOptions;
  readonly #byToken = new Map<number, Set<EnforcedSession>>();
  /** When the self-signed token of a session expires, in milliseconds since 1970. */
  readonly #signed = new Map<EnforcedSession, number>();
  readonly #guestsByStream = new Map<StreamId, Set<EnforcedSession>>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;

  constructor(options: EnforcementOptions) {
    this.#options = options;
    const { sessions, tokens, streams, onViewingElsewhere } = options;
    sessions.on('opened', (session) => this.#add(session));
    // Another viewer may have taken its place.
    sessions.on('staying', (session) => this.#recheck(session));
    sessions.on('ended', (session) => this.#remove(session));
    tokens.on('changed', (tokenId) => this.#tokenChanged(tokenId));
    streams.on('publishers-changed', (streamId) => this.#recheckGuests(streamId));
    onViewingElsewhere?.((begun) => this.#recheckLimits(begun));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #add(session: EnforcedSession): void {
    const { tokenId, signed } = session.grant;
    if (tokenId === null) addTo(this.#guestsByStream, sessionStreamId(session), session);
    else {
      addTo(this.#byToken, tokenId, session);
      this.#checkAt(this.#expiryOf(tokenId));
    }
    if (signed) {
      this.#signed.set(session, signed.until);
      this.#checkAt(signed.until);
    }
  }

  #remove(session: EnforcedSession): void {
    this.#signed.delete(session);
    const { tokenId } = session.grant;
    if (tokenId === null) removeFrom(this.#guestsByStream, sessionStreamId(session), session);
    else removeFrom(this.#byToken, tokenId, session);
  }

  /** Decides again about the sessions that the token admitted. */
  #tokenChanged(tokenId: number): void {
    for (const session of copyOf(this.#byToken.get(tokenId))) {
      this.#recheck(session);
      if (session.grant.role === 'Publish') this.#recheckGuests(sessionStreamId(session));
    }
    if (this.#byToken.has(tokenId)) this.#checkAt(this.#expiryOf(tokenId));
  }

  /**
   * Of two viewings that took the last place on two servers together, the newer one ends. Only of those whose limit is
   * concerned: a token can have thousands of sessions here, and as many begin on other servers.
   */
  #recheckLimits({ tokenId, signedIds }: ViewingsBegun): void {
    const isOverfull = this.#isOverfull(tokenId);
    for (const session of copyOf(this.#byToken.get(tokenId))) {
      const { role, signed } = session.grant;
      const isConcerned = isOverfull || (signed !== null && signed.maxSessions > 0 && signedIds.has(signed.id));
      if (role === 'Subscribe' && isConcerned) this.#recheck(session);
    }
  }

  #isOverfull(tokenId: number): boolean {
    const { tokens, viewings } = this.#options;
    const most = tokens.findById(tokenId)?.maxSessions ?? 0;
    return most > 0 && (viewings?.ahead({ id: tokenId, signed: null }).ofToken ?? Infinity) > most;
  }

  /** Decides again about the guests of a stream. When it returns, refused guests get no more media. */
  #recheckGuests(streamId: StreamId): void {
    for (const guest of copyOf(this.#guestsByStream.get(streamId))) this.#recheck(guest);
  }

  #recheck(session: EnforcedSession): void {
    const { admission, onFault } = this.#options;
    try {
      const verdict = admission.recheck(session.grant);
      if (!verdict.allowed) session.refuse(verdict.reason);
    } catch (error) {
      onFault(error, session);
    }
  }

  #expiryOf(tokenId: number): number | null {
    return this.#options.tokens.findById(tokenId)?.expiresOn ?? null;
  }

  /** Sets the timer to `time`, unless it is set to an earlier time. */
  #checkAt(time: number | null): void {
    if (time === null || time >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = time;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, time - this.#options.now()));
    this.#timer = after('admission', wait, () => this.#checkExpiries());
    this.#timer.unref();
  }

  /** Decides again about the sessions whose tokens have expired, and waits for the next expiry. */
  #checkExpiries(): void {
    this.#timerAt = Infinity;
    const { now } = this.#options;
    for (const tokenId of Array.from(this.#byToken.keys())) {
      const expiry = this.#expiryOf(tokenId);
      if (expiry !== null && expiry <= now()) this.#tokenChanged(tokenId);
      else this.#checkAt(expiry);
    }
    for (const [session, until] of Array.from(this.#signed)) {
      if (until <= now()) this.#recheck(session);
      else this.#checkAt(until);
    }
  }
}

function sessionStreamId({ grant }: EnforcedSession): StreamId {
  return streamIdOf(grant.accountId, grant.streamName);
}

/** A session that is refused leaves its set during the iteration. */
function copyOf(sessions: ReadonlySet<EnforcedSession> | undefined): EnforcedSession[] {
  return sessions ? Array.from(sessions) : [];
}

function addTo<Key>(sets: Map<Key, Set<EnforcedSession>>, key: Key, session: EnforcedSession): void {
  const set = sets.get(key);
  if (set) set.add(session);
  else sets.set(key, new Set([session]));
}

function removeFrom<Key>(sets: Map<Key, Set<EnforcedSession>>, key: Key, session: EnforcedSession): void {
  const set = sets.get(key);
  set?.delete(session);
  if (set?.size === 0) sets.delete(key);
}
