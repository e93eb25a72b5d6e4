import type { StreamError } from '../errors.js';
import { terminalPhase, type TerminalPhase } from '../terminal-phase.js';
import type { Retry } from '../connection/reconnect-loop.js';

/** Where a viewer stands. Each phase carries exactly what is true in it. */
export type ViewerPhase =
  | { readonly name: 'idle' }
  /** Asking for leave to watch. */
  | { readonly name: 'authorizing' }
  /** Admitted; the way for the media is being opened. `media` is there once it is known that the stream is live. */
  | { readonly name: 'connecting'; readonly media?: MediaStream }
  /** All is ready, and nothing is broadcast yet. It becomes live by itself. */
  | { readonly name: 'waiting' }
  /** `viewers`: how many watch, once the server has said so. */
  | { readonly name: 'live'; readonly media: MediaStream; readonly viewers: number | undefined }
  /** The broadcast stopped a moment ago. Becomes waiting by itself, or live. */
  | { readonly name: 'ended' }
  /** Lost, and tried again. */
  | ({ readonly name: 'reconnecting' } & Retry)
  | TerminalPhase;

/** What can happen to it. */
export type ViewerEvent =
  | { readonly type: 'start' }
  | { readonly type: 'admitted' }
  /** Media can flow. `live` is there when it does. */
  | { readonly type: 'connected'; readonly live: LiveMedia | undefined }
  | ({ readonly type: 'active' } & LiveMedia)
  | { readonly type: 'inactive' }
  | { readonly type: 'viewercount'; readonly viewers: number }
  /** The end has been shown long enough. */
  | { readonly type: 'settled' }
  | ({ readonly type: 'broke' } & Retry)
  | { readonly type: 'gave-up'; readonly error: StreamError }
  | { readonly type: 'stop' };

export interface LiveMedia {
  readonly media: MediaStream;
  readonly viewers: number | undefined;
}

export const VIEWER_IDLE: ViewerPhase = { name: 'idle' };

/** The next phase. An event that means nothing in the present phase changes nothing. */
export function nextViewerPhase(phase: ViewerPhase, event: ViewerEvent): ViewerPhase {
  switch (event.type) {
    case 'start':
      return isOver(phase) ? { name: 'authorizing' } : phase;
    case 'stop':
      return phase.name === 'idle' ? phase : VIEWER_IDLE;
    case 'admitted':
      return phase.name === 'authorizing' ? { name: 'connecting' } : phase;
    case 'connected':
      // Another connection may take the place of one that stands: what it shows is what there is.
      if (isOver(phase) || phase.name === 'authorizing') return phase;
      if (event.live) return { name: 'live', ...event.live };
      return phase.name === 'ended' || phase.name === 'waiting' ? phase : { name: 'waiting' };
    case 'active':
      if (phase.name === 'connecting') return { name: 'connecting', media: event.media };
      return phase.name === 'waiting' || phase.name === 'ended' || phase.name === 'live'
        ? { name: 'live', media: event.media, viewers: event.viewers }
        : phase;
    case 'inactive':
      if (phase.name === 'connecting') return { name: 'connecting' };
      return phase.name === 'live' ? { name: 'ended' } : phase;
    case 'settled':
      return phase.name === 'ended' ? { name: 'waiting' } : phase;
    case 'viewercount':
      return phase.name === 'live' && phase.viewers !== event.viewers ? { ...phase, viewers: event.viewers } : phase;
    case 'broke': {
      const { attempt, error, retryInMs } = event;
      return isOver(phase) ? phase : { name: 'reconnecting', attempt, error, retryInMs };
    }
    case 'gave-up':
      return isOver(phase) ? phase : terminalPhase(event.error);
  }
}

/** Nothing runs in these phases. */
function isOver({ name }: ViewerPhase): boolean {
  return name === 'idle' || name === 'rejected' || name === 'failed';
}
