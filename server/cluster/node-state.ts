import { STOPS_AFTER_MS } from './lease-times.js';

/** Times are those of the machine's monotonic clock, in milliseconds. */
export type NodeState =
  /** It has no lease, and may not publish. It has not joined yet, or it has lapsed. */
  | { readonly name: 'out'; readonly hasLapsed: boolean }
  /** It may publish until then. `isReturning`: it has lapsed, and no heartbeat was answered since. */
  | { readonly name: 'in'; readonly epoch: number; readonly until: number; readonly isReturning: boolean }
  /** It leaves, for good. */
  | { readonly name: 'closed' };

export type NodeInput =
  /** The database answered a statement that was sent then. */
  | { readonly name: 'joined' | 'renewed'; readonly epoch: number; readonly sentAt: number; readonly now: number }
  /** The database says that the leases of this epoch have expired. */
  | { readonly name: 'expired'; readonly epoch: number }
  | { readonly name: 'time-passed'; readonly now: number };

export const OUT: NodeState = Object.freeze({ name: 'out', hasLapsed: false });
export const CLOSED: NodeState = Object.freeze({ name: 'closed' });
const LAPSED: NodeState = Object.freeze({ name: 'out', hasLapsed: true });

/**
 * The state after an input. An answer that comes after the deadline renews nothing: the node has stopped its publishers
 * or must do so now, and joins again with another epoch.
 */
export function nextNodeState(state: NodeState, input: NodeInput): NodeState {
  if (state.name === 'closed') return state;
  switch (input.name) {
    case 'joined':
      return input.now < input.sentAt + STOPS_AFTER_MS
        ? {
            name: 'in',
            epoch: input.epoch,
            until: input.sentAt + STOPS_AFTER_MS,
            isReturning: state.name === 'out' ? state.hasLapsed : state.isReturning,
          }
        : outAfter(state);
    case 'renewed':
      if (state.name === 'out' || input.now >= state.until) return outAfter(state);
      if (state.epoch !== input.epoch) return state;
      return { ...state, until: Math.max(state.until, input.sentAt + STOPS_AFTER_MS), isReturning: false };
    case 'expired':
      return state.name === 'in' && state.epoch === input.epoch ? LAPSED : state;
    case 'time-passed':
      return state.name === 'in' && input.now >= state.until ? LAPSED : state;
  }
}

const outAfter = (state: NodeState): NodeState => (state.name === 'out' ? state : LAPSED);
