import type { LeaseChange, LeaseHolder } from '../streams/stream-leases.js';

/**
 * The lease of one source, as its node knows it. The database may have it for any of the `earlier` sessions, because it
 * did not confirm what came after them.
 */
export type SourceLease =
  /** Nobody here has the source. */
  | { readonly name: 'free' }
  /** The database was not asked yet, or did not give the lease; or the node has lapsed since. */
  | Claimed<'unconfirmed'>
  | Claimed<'held'>
  /** Nobody here has the source any more, and the database has not confirmed that it knows. */
  | Released;

interface Released {
  readonly name: 'released';
  readonly earlier: readonly string[];
  /** The broadcast was meant to end with it. */
  readonly endsStream: boolean;
}

interface Claimed<Name extends string> {
  readonly name: Name;
  /** The session that has the source. Another object for each claim. */
  readonly holder: LeaseHolder;
  readonly earlier: readonly string[];
  /** What the database is to be told of the source. Nothing is written before the lease is confirmed. */
  readonly unwritten: Pick<LeaseChange, 'isLive' | 'keptForMs' | 'isInterrupted'> | undefined;
}

export type LeaseInput =
  | { readonly name: 'claimed'; readonly holder: LeaseHolder }
  /** The database answered the claim of `holder`, or did not. */
  | { readonly name: 'answered'; readonly holder: LeaseHolder; readonly isHeld: boolean }
  | { readonly name: 'changed'; readonly change: LeaseChange }
  | { readonly name: 'released'; readonly sessionId: string; readonly endsStream: boolean }
  /** The database has the lease for this session. */
  | { readonly name: 'seen'; readonly sessionId: string }
  /** The database has all that it was to be told. */
  | { readonly name: 'written' }
  | { readonly name: 'lapsed' };

type AnyClaimed = Claimed<'unconfirmed' | 'held'> & SourceLease;
type Edge<State, Input> = (lease: State, input: Input) => SourceLease;
type InputOf<Name> = Extract<LeaseInput, { name: Name }>;

export const FREE: SourceLease = Object.freeze({ name: 'free' });

const NOT_LIVE = Object.freeze({ isLive: false, keptForMs: null, isInterrupted: false });

const same = (lease: SourceLease): SourceLease => lease;

/** To another session, or to a new claim of the same one. */
const moved: Edge<AnyClaimed, InputOf<'claimed'>> = ({ earlier, holder: before, unwritten }, { holder }) => ({
  name: 'unconfirmed',
  holder,
  earlier: including(earlier, before.sessionId),
  unwritten: unwritten && { ...unwritten, keptForMs: null },
});

const changed: Edge<AnyClaimed, InputOf<'changed'>> = (lease, { change }) => {
  const { isLive, keptForMs, isInterrupted } = change;
  return { ...lease, unwritten: { isLive, keptForMs, isInterrupted } };
};

/** Not by an earlier session: the source has gone to the holder. */
const released: Edge<AnyClaimed, InputOf<'released'>> = (lease, { sessionId, endsStream }) => {
  if (lease.holder.sessionId !== sessionId) return lease;
  return { name: 'released', earlier: including(lease.earlier, sessionId), endsStream };
};

/** What follows each input in each state. What is not here cannot happen. */
const EDGES: {
  readonly [State in SourceLease as State['name']]: {
    readonly [Input in LeaseInput as Input['name']]?: Edge<State, Input>;
  };
} = {
  free: {
    claimed: (_lease, { holder }) => ({ name: 'unconfirmed', holder, earlier: [], unwritten: undefined }),
    changed: same,
    released: same,
    seen: (_lease, { sessionId }) => ({ name: 'released', earlier: [sessionId], endsStream: false }),
  },
  unconfirmed: {
    claimed: moved,
    // Not for a session that has given the source to another meanwhile.
    answered: (lease, { holder, isHeld }) =>
      lease.holder === holder && isHeld ? { ...lease, name: 'held', earlier: [] } : lease,
    changed,
    released,
    seen: same,
    lapsed: same,
  },
  held: {
    claimed: moved,
    changed,
    released,
    seen: same,
    written: (lease) => ({ ...lease, unwritten: undefined }),
    lapsed: (lease) => ({ ...lease, name: 'unconfirmed', unwritten: undefined }),
  },
  released: {
    // The database may still have the source as live.
    claimed: ({ earlier }, { holder }) => ({ name: 'unconfirmed', holder, earlier, unwritten: NOT_LIVE }),
    // It was released while it was claimed.
    answered: same,
    changed: same,
    released: same,
    seen: (lease, { sessionId }) => ({ ...lease, earlier: including(lease.earlier, sessionId) }),
    written: () => FREE,
    lapsed: same,
  },
};

/** The state after an input. Undefined: this cannot happen in the state. */
export function nextSourceLease(lease: SourceLease, input: LeaseInput): SourceLease | undefined {
  // The edge is of this state and this input.
  const edge = EDGES[lease.name][input.name] as Edge<SourceLease, LeaseInput> | undefined;
  return edge?.(lease, input);
}

function including(sessionIds: readonly string[], sessionId: string): readonly string[] {
  return sessionIds.includes(sessionId) ? sessionIds : [...sessionIds, sessionId];
}
