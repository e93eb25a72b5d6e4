/** The connection to one Janus. A session of Janus has the handles, and ends without keepalives. Times in milliseconds. */
export type ConnectionState =
  /** There is no session: not yet, or it was lost. */
  | { readonly name: 'connecting' }
  | { readonly name: 'open'; readonly session: number }
  /** The websocket broke. Until then the session and its media may be claimed with another websocket. */
  | { readonly name: 'reclaiming'; readonly session: number; readonly until: number }
  | { readonly name: 'closed' };

export type ConnectionInput =
  /** Janus created the session, or gave it to this websocket. */
  | { readonly name: 'joined'; readonly session: number }
  | { readonly name: 'socket-lost'; readonly until: number }
  /** Janus does not have the session any more: it was restarted, or the session timed out. */
  | { readonly name: 'session-lost' }
  | { readonly name: 'time-passed'; readonly now: number }
  | { readonly name: 'close' };

export const CONNECTING: ConnectionState = Object.freeze({ name: 'connecting' });
const CLOSED: ConnectionState = Object.freeze({ name: 'closed' });

export function nextConnectionState(state: ConnectionState, input: ConnectionInput): ConnectionState {
  if (state.name === 'closed') return state;
  switch (input.name) {
    case 'joined':
      // The handles of a session that was given up are lost already.
      if (state.name === 'reclaiming' && state.session !== input.session) return state;
      return { name: 'open', session: input.session };
    case 'socket-lost':
      return state.name === 'open' ? { name: 'reclaiming', session: state.session, until: input.until } : state;
    case 'session-lost':
      return CONNECTING;
    case 'time-passed':
      return state.name === 'reclaiming' && input.now >= state.until ? CONNECTING : state;
    case 'close':
      return CLOSED;
  }
}

/** The session whose handles are usable, or may be again. */
export function sessionOf(state: ConnectionState): number | undefined {
  return state.name === 'open' || state.name === 'reclaiming' ? state.session : undefined;
}

/** When Janus last answered in an open session, or the connection began. */
export interface SignOfLife {
  /** By a monotonic clock. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly on: number;
}

/** Since when Janus is away, in milliseconds since 1970. @param now by the monotonic clock */
export function awaySince({ at, on }: SignOfLife, now: number, awayAfterMs: number): number | undefined {
  return now - at > awayAfterMs ? on : undefined;
}
