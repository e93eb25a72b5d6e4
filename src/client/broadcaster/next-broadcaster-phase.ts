import type { Retry } from '../connection/reconnect-loop.js';
import type { StreamError } from '../errors.js';
import { terminalPhase } from '../phase.js';
import {
  BROADCASTER_IDLE,
  isOver,
  liveBroadcast,
  type BroadcasterPhase,
  type LiveBroadcast,
} from './broadcaster-phase.js';

/** An event that may change the phase of a broadcaster. */
export type BroadcasterEvent =
  | { readonly type: 'start' }
  | { readonly type: 'connected'; readonly broadcast: LiveBroadcast; readonly viewers: number }
  | { readonly type: 'viewercount'; readonly viewers: number }
  | ({ readonly type: 'lost' } & Retry)
  | { readonly type: 'gave-up'; readonly error: StreamError }
  | { readonly type: 'stop' };

/** The next phase. Returns the same object if the event does not apply to the phase. */
export function nextBroadcasterPhase(phase: BroadcasterPhase, event: BroadcasterEvent): BroadcasterPhase {
  if (event.type === 'stop') return BROADCASTER_IDLE;
  // Nothing runs in these phases.
  if (isOver(phase)) return event.type === 'start' ? { name: 'starting' } : phase;
  switch (event.type) {
    case 'start':
      return phase;
    case 'connected':
      // A second session may replace the first one in any phase.
      return {
        name: 'live',
        viewers: event.viewers,
        ...event.broadcast,
        since: liveBroadcast(phase)?.since ?? event.broadcast.since,
      };
    case 'viewercount':
      return phase.name === 'live' && phase.viewers !== event.viewers ? { ...phase, viewers: event.viewers } : phase;
    case 'lost': {
      const { type: _, ...retry } = event;
      return { name: 'reconnecting', ...retry, broadcast: liveBroadcast(phase) };
    }
    case 'gave-up':
      return terminalPhase(event.error);
  }
}
