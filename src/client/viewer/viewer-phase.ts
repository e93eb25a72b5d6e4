import type { Retry } from '../connection/reconnect-loop.js';
import type { StreamError } from '../errors.js';
import { terminalPhase, type TerminalPhase } from '../phase.js';

/** The state of a viewer. Each phase has only the fields that are valid in it. */
export type ViewerPhase =
  | { readonly name: 'idle' }
  /** Asking for a grant. */
  | { readonly name: 'authorizing' }
  /** Admitted; the media path is being opened. `media` is set when the stream is known to be live. */
  | { readonly name: 'connecting'; readonly media?: MediaStream }
  /**
   * Nothing is broadcast. Becomes `live` by itself. `media` is what will be live: a video that has it already shows its
   * first picture sooner. Absent for a viewer without a token, who connects when the stream is live.
   */
  | ({ readonly name: 'waiting' } & Partial<AwaitedMedia>)
  | ({ readonly name: 'live' } & LiveMedia)
  /**
   * The broadcast stopped a moment ago. Becomes `waiting` or `live` by itself. `declared`: the broadcaster or the owner ended
   * it, so this lasts until it is `live` again. Who comes soon after such an end is told of it.
   */
  | ({ readonly name: 'ended' } & DeclaredEnd)
  /** The connection is lost, and another attempt follows. */
  | ({ readonly name: 'reconnecting' } & Retry)
  | TerminalPhase;

/** An event that may change the phase of a viewer. */
export type ViewerEvent =
  | { readonly type: 'start' }
  | { readonly type: 'admitted' }
  /** Media can flow. `live` is set if the stream is live, `awaited` if a video can have the media before it is. */
  | {
      readonly type: 'connected';
      readonly live: LiveMedia | undefined;
      readonly awaited?: AwaitedMedia | undefined;
      /** What the server said of the end of a broadcast before. */
      readonly end?: DeclaredEnd | undefined;
    }
  | ({ readonly type: 'active' } & LiveMedia)
  | ({ readonly type: 'inactive' } & DeclaredEnd)
  /** A viewer without a token came too early. */
  | { readonly type: 'not-live' }
  /** What they waited for is live. */
  | { readonly type: 'begun' }
  | { readonly type: 'viewercount'; readonly viewers: number }
  /** The time for which `ended` is shown is over. */
  | { readonly type: 'end-shown' }
  | ({ readonly type: 'lost' } & Retry)
  | { readonly type: 'gave-up'; readonly error: StreamError }
  | { readonly type: 'stop' };

export interface DeclaredEnd {
  readonly declared?: true;
  /** When the broadcaster or the owner ended it, by the clock of the server, in milliseconds since 1970. */
  readonly endedOn?: number | undefined;
}

export interface AwaitedMedia {
  readonly media: MediaStream;
}

export interface LiveMedia extends AwaitedMedia {
  /** The viewer count. Undefined until the server has sent it. */
  readonly viewers: number | undefined;
  /** The server sends the sound alone, because the network is too slow for any picture or the server is overloaded. Absent: it sends both. */
  readonly videoPaused?: true;
  /** The broadcaster is lost and may come back. Absent: they are there. */
  readonly interrupted?: true;
}

export const VIEWER_IDLE: ViewerPhase = { name: 'idle' };

/** The next phase. Returns the same object if the event does not apply to the phase. */
export function nextViewerPhase(phase: ViewerPhase, event: ViewerEvent): ViewerPhase {
  if (event.type === 'stop') return VIEWER_IDLE;
  // Nothing runs in these phases.
  if (phase.name === 'idle' || phase.name === 'rejected' || phase.name === 'failed') {
    return event.type === 'start' ? { name: 'authorizing' } : phase;
  }
  const awaitsNext = phase.name === 'waiting' || phase.name === 'ended';
  switch (event.type) {
    case 'start':
      return phase;
    case 'admitted':
      return phase.name === 'authorizing' ? { name: 'connecting' } : phase;
    case 'connected':
      // A second session may replace the first one in any phase.
      if (phase.name === 'authorizing') return phase;
      if (event.live) return { name: 'live', ...event.live };
      if (event.end?.declared) return { name: 'ended', ...event.end };
      return phase.name === 'ended' ? phase : { name: 'waiting', ...event.awaited };
    case 'active': {
      const { type: _, ...live } = event;
      if (phase.name === 'connecting') return { name: 'connecting', media: live.media };
      return phase.name === 'authorizing' || phase.name === 'reconnecting' ? phase : { name: 'live', ...live };
    }
    case 'inactive':
      if (phase.name === 'connecting') return { name: 'connecting' };
      // A loss may turn out to have been the end, and who has come after the end learns of it.
      if (phase.name === 'live' || (event.declared && awaitsNext && !('declared' in phase))) {
        const { type: _, ...end } = event;
        return { name: 'ended', ...end };
      }
      return phase;
    case 'not-live':
      return awaitsNext ? phase : { name: 'waiting' };
    case 'begun':
      return awaitsNext ? { name: 'authorizing' } : phase;
    case 'end-shown':
      return phase.name === 'ended' && !phase.declared ? { name: 'waiting' } : phase;
    case 'viewercount':
      return phase.name === 'live' && phase.viewers !== event.viewers ? { ...phase, viewers: event.viewers } : phase;
    case 'lost': {
      const { type: _, ...retry } = event;
      return { name: 'reconnecting', ...retry };
    }
    case 'gave-up':
      return terminalPhase(event.error);
  }
}
