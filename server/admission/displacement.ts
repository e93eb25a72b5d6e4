import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { TokenRecord } from '../tokens/token-record.js';
import type { CountedSession, SignedLimit, TokenViewings, ViewingsBegun } from './token-viewings.js';

/** An open session that can make room for a newer one. */
export interface DisplacedSession extends CountedSession {
  /** Ends the session and sends the reason to its client. */
  stop(code: StopCode): void;
}

/** The open sessions. The events are emitted synchronously. */
export interface DisplacedSessions {
  /** See `SessionsEventMap`. */
  on(event: 'connected' | 'staying', listener: (session: DisplacedSession) => void): unknown;
}

type SessionLimit = Pick<TokenRecord, 'maxSessions' | 'whenFull'>;

export interface DisplacementOptions {
  readonly sessions: DisplacedSessions;
  readonly tokens: {
    /** Undefined: the token was deleted. */
    findById(tokenId: number): SessionLimit | undefined;
    /** The token was created, changed or deleted. */
    on(event: 'changed', listener: (tokenId: number) => void): unknown;
  };
  /** Viewings began on another server, or got their media there. Absent: there is no other. */
  readonly onViewingElsewhere?: ((listener: (begun: ViewingsBegun) => void) => void) | undefined;
  /** Follows the same sessions, and was told to before. */
  readonly viewings: TokenViewings<DisplacedSession>;
  /** A session could not be ended. The other sessions are. Must not throw. */
  readonly onFault: (error: unknown, session: DisplacedSession) => void;
}

/**
 * Ends the oldest viewings of a token with `whenFull: 'displace'` when there are more of them than it permits, as soon as
 * the newest has its media.
 */
export function displaceOldest(options: DisplacementOptions): void {
  const { sessions, tokens, viewings, onViewingElsewhere, onFault } = options;
  const makeRoom = (tokenId: number, token: SessionLimit) => {
    for (const viewing of displacedViewings(viewings.of(tokenId), token.maxSessions)) {
      for (const session of Array.from(viewing.sessions.values())) stopOrReport(session, onFault);
    }
  };
  /** The token, if the viewer is one too many for it. */
  const overfullBy = ({ grant }: CountedSession) => {
    const { tokenId, signed } = grant;
    if (tokenId === null) return undefined;
    const token = tokens.findById(tokenId);
    if (token?.whenFull !== 'displace') return undefined;
    const { ofToken, ofSigned } = viewings.ahead({ id: tokenId, signed }, grant);
    const isOneTooMany = isFull(ofToken, token.maxSessions) || isFull(ofSigned, signed?.maxSessions ?? 0);
    return isOneTooMany ? { tokenId, token } : undefined;
  };
  // Not when it opens: of a viewer whose media cannot be connected, nobody would be left.
  sessions.on('connected', (session) => {
    const overfull = overfullBy(session);
    if (overfull) makeRoom(overfull.tokenId, overfull.token);
  });
  // It came before those who took its place.
  sessions.on('staying', (session) => {
    if (viewings.has(session.grant.sessionId) && overfullBy(session)) stopOrReport(session, onFault);
  });
  const check = (tokenId: number) => {
    const token = tokens.findById(tokenId);
    if (token?.whenFull === 'displace') makeRoom(tokenId, token);
  };
  tokens.on('changed', check);
  onViewingElsewhere?.(({ tokenId, takesPlace }) => takesPlace && check(tokenId));
}

function stopOrReport(session: DisplacedSession, onFault: DisplacementOptions['onFault']): void {
  try {
    session.stop('displaced');
  } catch (error) {
    onFault(error, session);
  }
}

/**
 * The viewings that have to end so that the newest ones fit: at most `maxSessions` of the token, and at most as many of
 * each self-signed token as that one permits. 0: no limit.
 * @param viewings the oldest first
 * @returns the oldest first
 */
export function displacedViewings<Each extends { readonly signed: SignedLimit | null }>(
  viewings: readonly Each[],
  maxSessions: number,
): Each[] {
  let kept = 0;
  const keptOfSigned = new Map<string, number>();
  return viewings
    .toReversed()
    .filter(({ signed }) => {
      const ofSigned = keptOfSigned.get(signed?.id ?? '') ?? 0;
      if (isFull(kept, maxSessions) || isFull(ofSigned, signed?.maxSessions ?? 0)) return true;
      kept += 1;
      if (signed) keptOfSigned.set(signed.id, ofSigned + 1);
      return false;
    })
    .toReversed();
}

function isFull(count: number, most: number): boolean {
  return most > 0 && count >= most;
}
