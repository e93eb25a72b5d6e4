import { RejectedError, type RefusalReason, type StreamError } from './errors.js';

/** Where a broadcaster stands. Each phase carries exactly what is true in it. */
export type BroadcasterPhase =
  | { readonly name: 'idle' }
  /** Asking for leave and opening the way for the media. */
  | { readonly name: 'starting' }
  | ({ readonly name: 'live'; readonly viewers: number } & OnAir)
  /** `attempt` counts from 1; `onAir` is there when it had been live. */
  | {
      readonly name: 'reconnecting';
      readonly attempt: number;
      readonly error: StreamError;
      readonly onAir: OnAir | undefined;
    }
  /** The service said no; `message` is its sentence. */
  | { readonly name: 'rejected'; readonly reason: RefusalReason; readonly message: string }
  | { readonly name: 'failed'; readonly error: StreamError };

export interface OnAir {
  readonly streamName: string;
  /** As the server told it: what a link for viewers needs. */
  readonly accountId: string | undefined;
  /** When it first went live, in milliseconds since 1970. Breaks do not change it. */
  readonly since: number;
}

/** What can happen to it. */
export type BroadcasterEvent =
  | { readonly type: 'start' }
  | { readonly type: 'connected'; readonly onAir: OnAir; readonly viewers: number }
  | { readonly type: 'viewercount'; readonly viewers: number }
  | { readonly type: 'broke'; readonly error: StreamError; readonly attempt: number }
  | { readonly type: 'gave-up'; readonly error: StreamError }
  | { readonly type: 'stop' };

export const BROADCASTER_IDLE: BroadcasterPhase = { name: 'idle' };

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
        since: onAir(phase)?.since ?? event.onAir.since,
      };
    case 'viewercount':
      return phase.name === 'live' && phase.viewers !== event.viewers ? { ...phase, viewers: event.viewers } : phase;
    case 'broke':
      return isOver(phase)
        ? phase
        : { name: 'reconnecting', attempt: event.attempt, error: event.error, onAir: onAir(phase) };
    case 'gave-up':
      return isOver(phase) ? phase : gaveUp(event.error);
  }
}

/** What was told of the broadcast when it began, for as long as it is on or is being brought back. */
export function onAir(phase: BroadcasterPhase): OnAir | undefined {
  if (phase.name === 'reconnecting') return phase.onAir;
  if (phase.name !== 'live') return undefined;
  const { streamName, accountId, since } = phase;
  return { streamName, accountId, since };
}

/** Nothing runs in these phases. */
export function isOver({ name }: BroadcasterPhase): boolean {
  return name === 'idle' || name === 'rejected' || name === 'failed';
}

function gaveUp(error: StreamError): BroadcasterPhase {
  return error instanceof RejectedError
    ? { name: 'rejected', reason: error.reason, message: error.message }
    : { name: 'failed', error };
}
