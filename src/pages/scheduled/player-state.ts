import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';

/** The player, as far as the page has to know it. */
export type PlayerState =
  | 'none'
  | 'connecting'
  /** The stream is not live. */
  | 'waiting'
  | 'playing'
  /** The broadcaster ended the broadcast. */
  | 'ended'
  /** The connection was lost during the broadcast. */
  | 'resuming'
  | 'refused';

export function nextPlayerState(before: PlayerState, phase: ViewerPhase): PlayerState {
  switch (phase.name) {
    case 'live':
      return 'playing';
    case 'ended':
      return phase.declared ? 'ended' : 'waiting';
    case 'waiting':
      return before === 'ended' ? 'ended' : 'waiting';
    case 'rejected':
    case 'failed':
      return 'refused';
    default:
  }
  if (before === 'playing' || before === 'resuming') return 'resuming';
  return before === 'waiting' || before === 'ended' ? before : 'connecting';
}
