import type { PartEndReason } from '../recorder.js';

/** What an open recording is doing. `isLive`: the engine says that media of the source flows. */
export type RecordingPhase =
  /** A part is ordered, or being written. */
  | { readonly name: 'writing'; readonly isLive: boolean; readonly attempt: number; readonly wroteSome: boolean }
  /** The source is live, but nothing is written: the next part begins when the timer ends. */
  | { readonly name: 'retrying'; readonly attempt: number }
  /** The source ended. Its publisher may come back until the timer ends. */
  | { readonly name: 'away' }
  /** It ends when its part has ended. */
  | { readonly name: 'stopping' }
  /** No part is written, and none will be. */
  | { readonly name: 'over' };

export type RecordingEvent =
  | { readonly name: 'live' }
  | { readonly name: 'source_ended' }
  /** There is nothing to tap yet: the part could not be ordered. */
  | { readonly name: 'tap_missing' }
  | { readonly name: 'part_started' }
  | { readonly name: 'part_ended'; readonly reason: PartEndReason }
  | { readonly name: 'timer' }
  /** Somebody wants no more of it, the quota is used, or the server stops. */
  | { readonly name: 'stop' };

/** What is to be done now, in this order. */
export type RecordingAction =
  | { readonly name: 'start_part' }
  | { readonly name: 'stop_part' }
  /** Replaces the timer that runs. */
  | { readonly name: 'set_timer'; readonly ms: number }
  | { readonly name: 'clear_timer' }
  | { readonly name: 'finish' };

export interface PhaseStep {
  readonly phase: RecordingPhase;
  readonly actions: readonly RecordingAction[];
}

/** The engine says that a source ended a little before the recorder has all of it. */
export const LAST_FRAMES_MS = 2_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 15_000;

/** The time until a part is tried again: it doubles with each attempt. */
export function retryDelayMs(attempt: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 10));
}

const FIRST_PART = { name: 'writing', isLive: true, attempt: 0, wroteSome: false } as const satisfies RecordingPhase;
const START: RecordingAction = { name: 'start_part' };
const STOP: RecordingAction = { name: 'stop_part' };
const CLEAR: RecordingAction = { name: 'clear_timer' };
const FINISH: RecordingAction = { name: 'finish' };

/** A recording that begins: its source is live. */
export const FIRST_STEP: PhaseStep = { phase: FIRST_PART, actions: [START] };

/**
 * The next step of a recording. An event that means nothing in the phase changes nothing.
 * @param comeBackMs how long a publisher who left may come back to the same recording
 */
export function nextPhase(phase: RecordingPhase, event: RecordingEvent, comeBackMs: number): PhaseStep {
  const unchanged: PhaseStep = { phase, actions: [] };
  const over: PhaseStep = { phase: { name: 'over' }, actions: [CLEAR, FINISH] };
  const away: PhaseStep = { phase: { name: 'away' }, actions: [{ name: 'set_timer', ms: comeBackMs }] };
  const retry = (attempt: number): PhaseStep => ({
    phase: { name: 'retrying', attempt },
    actions: [{ name: 'set_timer', ms: retryDelayMs(attempt) }],
  });
  switch (phase.name) {
    case 'writing':
      switch (event.name) {
        case 'live':
          return { phase: { ...phase, isLive: true }, actions: [CLEAR] };
        case 'source_ended':
          return { phase: { ...phase, isLive: false }, actions: [{ name: 'set_timer', ms: LAST_FRAMES_MS }] };
        case 'part_started':
          return { phase: { ...phase, wroteSome: true }, actions: [] };
        case 'tap_missing':
          return phase.isLive ? retry(phase.attempt) : away;
        case 'part_ended':
          if (!phase.isLive) return away;
          // Only the codec changed: nothing is wrong.
          if (event.reason === 'codec_changed') return { phase: FIRST_PART, actions: [CLEAR, START] };
          return retry(phase.wroteSome ? 0 : phase.attempt);
        case 'timer':
          return phase.isLive ? unchanged : { phase, actions: [STOP] };
        case 'stop':
          return { phase: { name: 'stopping' }, actions: [CLEAR, STOP] };
      }
      break;
    case 'retrying':
      switch (event.name) {
        case 'timer':
          return { phase: { ...FIRST_PART, attempt: phase.attempt + 1 }, actions: [START] };
        case 'source_ended':
          return away;
        case 'stop':
          return over;
        default:
          return unchanged;
      }
    case 'away':
      switch (event.name) {
        case 'live':
          return { phase: FIRST_PART, actions: [CLEAR, START] };
        case 'timer':
        case 'stop':
          return over;
        default:
          return unchanged;
      }
    case 'stopping':
      return event.name === 'part_ended' || event.name === 'tap_missing' ? over : unchanged;
    case 'over':
      return unchanged;
  }
  return unchanged;
}
