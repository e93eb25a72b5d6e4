import type { ViewingsAhead } from '../rules/access-request.js';
import type { CompiledToken, SignedRestrictions } from '../tokens/compiled-token.js';
import type { Grant } from './grant.js';

/** An open session, as it is counted. */
export interface CountedSession {
  readonly grant: Grant;
}

/** The open sessions. Both events are emitted synchronously, and `ended` once for each session that was `opened`. */
export interface CountedSessions<Session extends CountedSession> {
  on(event: 'opened' | 'ended', listener: (session: Session) => void): unknown;
}

/** Counts the viewings of tokens. This server counts its own; a count of all servers can stand behind this. */
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
  readonly tokenId: number;
  readonly signed: SignedRestrictions | null;
  readonly sessions: Map<string, Session>;
}

/** The viewings of each token on this server, the oldest first. */
export class TokenViewings<Session extends CountedSession = CountedSession> implements ViewingCounts {
  readonly #byKey = new Map<string, Viewing<Session>[]>();
  readonly #bySession = new Map<string, Viewing<Session>>();
  #begun = 0;

  /** Counts the sessions that open from now on. */
  follow(sessions: CountedSessions<Session>): void {
    sessions.on('opened', (session) => this.#add(session));
    sessions.on('ended', (session) => this.#remove(session));
  }

  ahead({ id, signed }: Pick<CompiledToken, 'id' | 'signed'>, grant?: Pick<Grant, 'sessionId' | 'resumes'>) {
    const own = grant && this.#viewingOf(grant);
    const signedKey = keyOfSigned(id, signed);
    return {
      ofToken: this.#aheadOf(own, keyOfToken(id)),
      ofSigned: signedKey === undefined ? 0 : this.#aheadOf(own, signedKey),
    };
  }

  /** The viewings of a token, and of the tokens that were signed with it, the oldest first. */
  of(tokenId: number): readonly Viewing<Session>[] {
    return this.#byKey.get(keyOfToken(tokenId)) ?? [];
  }

  /** Whether the session is open, and counted. */
  has(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  /** How many watch with the token, if it belongs to the account. */
  countOf(accountId: string, tokenId: number): number {
    const viewings = this.of(tokenId);
    const [session] = viewings[0]?.sessions.values() ?? [];
    return session?.grant.accountId === accountId ? viewings.length : 0;
  }

  #aheadOf(own: Viewing<Session> | undefined, key: string): number {
    const viewings = this.#byKey.get(key) ?? [];
    return own ? indexOf(viewings, own.order) : viewings.length;
  }

  #viewingOf({ sessionId, resumes }: Pick<Grant, 'sessionId' | 'resumes'>): Viewing<Session> | undefined {
    return this.#bySession.get(sessionId) ?? this.#bySession.get(resumes ?? '');
  }

  #add(session: Session): void {
    const { role, tokenId, sessionId, signed } = session.grant;
    if (role !== 'Subscribe' || tokenId === null) return;
    const viewing = this.#viewingOf(session.grant) ?? this.#begin(tokenId, signed);
    viewing.sessions.set(sessionId, session);
    this.#bySession.set(sessionId, viewing);
  }

  #begin(tokenId: number, signed: SignedRestrictions | null): Viewing<Session> {
    this.#begun += 1;
    const viewing = { order: this.#begun, tokenId, signed, sessions: new Map<string, Session>() };
    for (const key of keysOf(viewing)) {
      const viewings = this.#byKey.get(key);
      if (viewings) viewings.push(viewing);
      else this.#byKey.set(key, [viewing]);
    }
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
  }
}

/** Counts nothing: where no session can be open. */
export const NO_VIEWINGS: ViewingCounts = { ahead: () => ({ ofToken: 0, ofSigned: 0 }) };

/** The number of viewings with a lower order. The list is in order. */
function indexOf(viewings: readonly Viewing[], order: number): number {
  let [low, high] = [0, viewings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (viewings[middle]!.order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keysOf({ tokenId, signed }: Viewing): string[] {
  const signedKey = keyOfSigned(tokenId, signed);
  return signedKey === undefined ? [keyOfToken(tokenId)] : [keyOfToken(tokenId), signedKey];
}

function keyOfToken(tokenId: number): string {
  return String(tokenId);
}

/** Undefined: the viewings of the self-signed token need no count, because it has no limit of its own. */
function keyOfSigned(tokenId: number, signed: SignedRestrictions | null): string | undefined {
  return signed && signed.maxSessions > 0 ? `${tokenId}/${signed.id}` : undefined;
}
