import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import { RejectedError } from '../../client/errors.js';

/** The player, as far as the page has to know it. */
export type PlayerState =
  | 'none'
  | 'connecting'
  /** The stream is not live. */
  | 'waiting'
  | 'playing'
  /** The connection was lost during the broadcast. */
  | 'resuming'
  | 'refused';

const NOT_LIVE = 'stream_not_live';

export function nextPlayerState(before: PlayerState, phase: ViewerPhase): PlayerState {
  switch (phase.name) {
    case 'live':
      return 'playing';
    case 'ended':
    case 'waiting':
      return 'waiting';
    case 'rejected':
      return phase.reason === NOT_LIVE ? 'waiting' : 'refused';
    case 'failed':
      return 'refused';
    case 'reconnecting':
      if (phase.error instanceof RejectedError && phase.error.reason === NOT_LIVE) return 'waiting';
      break;
    default:
  }
  if (before === 'playing' || before === 'resuming') return 'resuming';
  return before === 'waiting' ? 'waiting' : 'connecting';
}

/** Without a token, the player gives up while the stream is not live. It can try again when the stream is live. */
export function gaveUpWaiting(phase: ViewerPhase): boolean {
  return phase.name === 'rejected' && phase.reason === NOT_LIVE;
}
