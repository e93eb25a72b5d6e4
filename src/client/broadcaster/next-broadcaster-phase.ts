import {
  BROADCASTER_IDLE,
  isOver,
  liveBroadcast,
  type BroadcasterPhase,
  type LiveBroadcast,
} from './broadcaster-phase.js';
import type { StreamError } from '../errors.js';
import { terminalPhase } from '../terminal-phase.js';
import type { Retry } from '../connection/reconnect-loop.js';

/** What can happen to it. */
export type BroadcasterEvent =
  | { readonly type: 'start' }
  | { readonly type: 'connected'; readonly onAir: LiveBroadcast; readonly viewers: number }
  | { readonly type: 'viewercount'; readonly viewers: number }
  | ({ readonly type: 'broke' } & Retry)
  | { readonly type: 'gave-up'; readonly error: StreamError }
  | { readonly type: 'stop' };

/** The next phase. An event that means nothing in the present phase changes nothing. */
export function nextBroadcasterPhase(phase: BroadcasterPhase, event: BroadcasterEvent): BroadcasterPhase {
  switch (event.type) {
    case 'start':
      return isOver(phase) ? { name: 'starting' } : phase;
    case 'stop':
      return phase.name === 'idle' ? phase : BROADCASTER_IDLE;
    case 'connected':
      // Another connection may take the place of one that stands.
      if (isOver(phase)) return phase;
      return {
        name: 'live',
        viewers: event.viewers,
        ...event.onAir,
        since: liveBroadcast(phase)?.since ?? event.onAir.since,
      };
    case 'viewercount':
      return phase.name === 'live' && phase.viewers !== event.viewers ? { ...phase, viewers: event.viewers } : phase;
    case 'broke': {
      const { attempt, error, retryInMs } = event;
      return isOver(phase) ? phase : { name: 'reconnecting', attempt, error, retryInMs, onAir: liveBroadcast(phase) };
    }
    case 'gave-up':
      return isOver(phase) ? phase : terminalPhase(event.error);
  }
}
