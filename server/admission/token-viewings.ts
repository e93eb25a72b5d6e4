import { Emitter } from '../faults/emitter.js';
import type { ViewingsAhead } from '../rules/access-request.js';
import type { CompiledToken, SignedRestrictions } from '../tokens/compiled-token.js';
import type { Grant } from './grant.js';
import { NetworkPlaces } from './network-places.js';

/** An open session, as it is counted. */
export interface CountedSession {
  readonly grant: Grant;
}

/** The open sessions. The events are emitted synchronously, and `ended` once for each session that was `opened`. */
export interface CountedSessions<Session extends CountedSession> {
  /** See `SessionsEventMap`. */
  on(event: 'opened' | 'connected' | 'leaving' | 'staying' | 'ended', listener: (session: Session) => void): unknown;
}

/** What of a self-signed token limits its viewings. */
export type SignedLimit = Pick<SignedRestrictions, 'id' | 'maxSessions'>;

/** A viewing on another server. */
export interface ViewingElsewhere {
  readonly accountId: string;
  readonly tokenId: number;
  readonly signed: SignedLimit | null;
  /** When it began, in milliseconds since 1970. All servers have the same clock. */
  readonly since: number;
}

/** The viewings of each token on the other servers. */
export interface ViewingsElsewhere {
  of(tokenId: number): readonly ViewingElsewhere[];
  /** How many there are. Every admission of a token with a limit asks, so that it must not search them. */
  count(
    tokenId: number,
    of?: {
      /** Only with this self-signed token. */
      readonly signedId?: string | undefined;
      /** Only those that began before, in milliseconds since 1970. */
      readonly before?: number | undefined;
    },
  ): number;
}

/** Viewings with a token that began on other servers, or got their media there, a moment ago. */
export interface ViewingsBegun {
  readonly tokenId: number;
  /** Whether one of them has its media, so that older ones must make room. */
  readonly takesPlace: boolean;
  /** Those of them that are with a self-signed token. */
  readonly signedIds: ReadonlySet<string>;
}

export interface TokenViewingsOptions {
  readonly elsewhere: ViewingsElsewhere;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Counts the viewings of tokens. */
export interface ViewingCounts {
  /**
   * The viewings that began before the one of this caller.
   * @param grant of a caller who has one. Absent: the caller begins a viewing.
   */
  ahead(token: Pick<CompiledToken, 'id' | 'signed'>, grant?: Pick<Grant, 'sessionId' | 'resumes'>): ViewingsAhead;
}

/** One client that watches with a token: its session, and for a moment also the session that resumes it. */
export interface Viewing<Session extends CountedSession = CountedSession> {
  /** Grows with every viewing. */
  readonly order: number;
  readonly accountId: string;
  readonly tokenId: number;
  readonly signed: SignedLimit | null;
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
  readonly sessions: Map<string, Session>;
  /** It got its media since it began: older ones make room. One that was told to leave, and stays, takes no place again. */
  takesPlace: boolean;
  /** From where it fetches a recording. */
  readonly networks: NetworkPlaces;
}

export interface TokenViewingsEvents {
  began: [viewing: Viewing];
  /** It takes its place from now on. */
  connected: [viewing: Viewing];
  ended: [viewing: Viewing];
}

/**
 * The viewings of each token, the oldest first. Those of other servers count as well. Two that begin on two servers at
 * the same time may both be admitted; when the servers learn of each other's, the newer one has no room any more.
 */
export class TokenViewings<Session extends CountedSession = CountedSession>
  extends Emitter<TokenViewingsEvents>
  implements ViewingCounts
{
  readonly #byKey = new Map<string, Viewing<Session>[]>();
  readonly #bySession = new Map<string, Viewing<Session>>();
  /** The sessions whose clients were told to watch on another server, where they count from now on. */
  readonly #leaving = new Set<string>();
  readonly #elsewhere: ViewingsElsewhere;
  readonly #now: () => number;
  #begun = 0;

  constructor({ elsewhere = NO_VIEWINGS_ELSEWHERE, now = Date.now }: Partial<TokenViewingsOptions> = {}) {
    super('admission');
    this.#elsewhere = elsewhere;
    this.#now = now;
  }

  /** Counts the sessions that open from now on. */
  follow(sessions: CountedSessions<Session>): void {
    sessions.on('opened', (session) => this.#add(session));
    sessions.on('connected', ({ grant }) => {
      const viewing = this.#bySession.get(grant.sessionId);
      if (!viewing || viewing.takesPlace) return;
      viewing.takesPlace = true;
      this.emit('connected', viewing);
    });
    sessions.on('leaving', (session) => {
      this.#leaving.add(session.grant.sessionId);
      this.#remove(session);
    });
    // Others may have taken the place of its viewing meanwhile.
    sessions.on('staying', (session) => {
      this.#leaving.delete(session.grant.sessionId);
      this.#add(session);
    });
    sessions.on('ended', (session) => {
      this.#leaving.delete(session.grant.sessionId);
      this.#remove(session);
    });
  }

  /** All viewings of this server. */
  get all(): readonly Viewing<Session>[] {
    return [...new Set(this.#bySession.values())];
  }

  ahead({ id, signed }: Pick<CompiledToken, 'id' | 'signed'>, grant?: Pick<Grant, 'sessionId' | 'resumes'>) {
    if (grant && this.#leaving.has(grant.sessionId)) return { ofToken: 0, ofSigned: 0 };
    const own = grant && this.#viewingOf(grant);
    const signedKey = keyOfSigned(id, signed);
    const before = own?.since;
    const ofSigned = (key: string): number =>
      this.#aheadOf(own, key) + this.#elsewhere.count(id, { signedId: signed?.id, before });
    return {
      ofToken: this.#aheadOf(own, keyOfToken(id)) + this.#elsewhere.count(id, { before }),
      ofSigned: signedKey === undefined ? 0 : ofSigned(signedKey),
    };
  }

  /**
   * The viewings of a token, and of the tokens that were signed with it, the oldest first. Those of other servers have no
   * sessions here.
   */
  of(tokenId: number): readonly Pick<Viewing<Session>, 'signed' | 'sessions'>[] {
    const here = this.#byKey.get(keyOfToken(tokenId)) ?? [];
    const elsewhere = this.#elsewhere.of(tokenId);
    if (elsewhere.length === 0) return here;
    const there = elsewhere.map(({ signed, since }) => ({ signed, since, sessions: new Map<string, Session>() }));
    return [...here, ...there].toSorted((a, b) => a.since - b.since);
  }

  /** Whether the session is open, and counted. */
  has(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  /**
   * Whether a network may fetch a recording for the viewing of the session: only so many can at the same time.
   * @returns undefined: the session is not open
   */
  takeNetwork(sessionId: string, network: string): boolean | undefined {
    return this.#bySession.get(sessionId)?.networks.take(network, this.#now());
  }

  /** How many watch with the token, if it belongs to the account. */
  countOf(accountId: string, tokenId: number): number {
    const all = [...(this.#byKey.get(keyOfToken(tokenId)) ?? []), ...this.#elsewhere.of(tokenId)];
    return all.filter((viewing) => viewing.accountId === accountId).length;
  }

  #aheadOf(own: Viewing<Session> | undefined, key: string): number {
    const viewings = this.#byKey.get(key) ?? [];
    return own ? indexOf(viewings, own.order) : viewings.length;
  }

  #viewingOf({ sessionId, resumes }: Pick<Grant, 'sessionId' | 'resumes'>): Viewing<Session> | undefined {
    return this.#bySession.get(sessionId) ?? this.#bySession.get(resumes ?? '');
  }

  #add(session: Session): void {
    const { role, tokenId, sessionId } = session.grant;
    if (role !== 'Subscribe' || tokenId === null) return;
    const viewing = this.#viewingOf(session.grant) ?? this.#begin(tokenId, session.grant);
    viewing.sessions.set(sessionId, session);
    this.#bySession.set(sessionId, viewing);
  }

  #begin(tokenId: number, { accountId, signed }: Grant): Viewing<Session> {
    this.#begun += 1;
    const viewing: Viewing<Session> = {
      order: this.#begun,
      accountId,
      tokenId,
      signed,
      since: this.#now(),
      sessions: new Map(),
      takesPlace: false,
      networks: new NetworkPlaces(),
    };
    for (const key of keysOf(viewing)) {
      const viewings = this.#byKey.get(key);
      if (viewings) viewings.push(viewing);
      else this.#byKey.set(key, [viewing]);
    }
    this.emit('began', viewing);
    return viewing;
  }

  #remove({ grant: { sessionId } }: Session): void {
    const viewing = this.#bySession.get(sessionId);
    if (!viewing) return;
    this.#bySession.delete(sessionId);
    viewing.sessions.delete(sessionId);
    if (viewing.sessions.size > 0) return;
    for (const key of keysOf(viewing)) {
      const viewings = this.#byKey.get(key) ?? [];
      viewings.splice(indexOf(viewings, viewing.order), 1);
      if (viewings.length === 0) this.#byKey.delete(key);
    }
    this.emit('ended', viewing);
  }
}

/** Of the only server of its database. */
export const NO_VIEWINGS_ELSEWHERE: ViewingsElsewhere = { of: () => [], count: () => 0 };

/** The number of viewings with a lower order. The list is in order. */
function indexOf(viewings: readonly Pick<Viewing, 'order'>[], order: number): number {
  let [low, high] = [0, viewings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (viewings[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keysOf({ tokenId, signed }: Pick<Viewing, 'tokenId' | 'signed'>): string[] {
  const signedKey = keyOfSigned(tokenId, signed);
  return signedKey === undefined ? [keyOfToken(tokenId)] : [keyOfToken(tokenId), signedKey];
}

function keyOfToken(tokenId: number): string {
  return String(tokenId);
}

/** Undefined: the viewings of the self-signed token need no count, because it has no limit of its own. */
function keyOfSigned(tokenId: number, signed: SignedLimit | null): string | undefined {
  return signed && signed.maxSessions > 0 ? `${tokenId}/${signed.id}` : undefined;
}
