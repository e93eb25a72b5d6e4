import type { RefusalCode, StreamErrorCode } from '../client/errors.js';
import type { ViewerPhase } from '../client/viewer/viewer-phase.js';

/** The `source` of every message, in both directions. It distinguishes them from other messages of pages and frames. */
export const MESSAGE_SOURCE = 'streamgate';

/** The state of the player in a frame. */
export interface FrameState {
  readonly streamName: string;
  readonly phase: ViewerPhase['name'];
  readonly paused: boolean;
  readonly muted: boolean;
  /** 0 to 1. */
  readonly volume: number;
  /** The viewer count, while the stream is live. Undefined until the server has sent it. */
  readonly viewers?: number | undefined;
  /** While the phase is `live`: whether the broadcaster is lost and may come back. */
  readonly interrupted?: boolean | undefined;
  /** Why the phase is `rejected`, `reconnecting` or `failed`: a stable code, and an explanation in `message`. */
  readonly reason?: RefusalCode | StreamErrorCode | undefined;
  readonly message?: string | undefined;
  /** While `reconnecting`: time until the next attempt, in milliseconds from this message. */
  readonly retryInMs?: number | undefined;
}

/** The connection is lost, or cannot be made. */
export interface FrameError {
  readonly code: StreamErrorCode;
  readonly message: string;
  /** Whether the same request, unchanged, can succeed later. */
  readonly retryable: boolean;
  /** Whether the player tries again by itself. */
  readonly retrying: boolean;
  /** Time until the next attempt, in milliseconds from this message. Undefined: there is none. */
  readonly retryInMs: number | undefined;
}

/** A message of the player to the embedding page. It contains no token and no other secret. */
export type FrameEvent =
  /** Sent after the player has loaded, on `requestState`, and before the message about each change. */
  | ({ readonly type: 'state' } & FrameState)
  /** The names of the phases are those of `Viewer` and `<stream-viewer>`. */
  | { readonly type: 'phase-change'; readonly previous: ViewerPhase['name']; readonly current: ViewerPhase['name'] }
  | { readonly type: 'live'; readonly streamName: string }
  /** The broadcaster is lost and may come back; then `live` follows. */
  | { readonly type: 'interrupted'; readonly streamName: string }
  /** `declared`: the broadcaster or the owner ended it. Else it may start again. */
  | { readonly type: 'ended'; readonly streamName: string; readonly declared: boolean }
  | { readonly type: 'waiting'; readonly streamName: string }
  | {
      readonly type: 'rejected';
      readonly reason: RefusalCode;
      readonly message: string;
      /** Whether the same request can succeed later. The player does not repeat it by itself. */
      readonly retryable: boolean;
    }
  | ({ readonly type: 'error' } & FrameError)
  | { readonly type: 'viewer-count'; readonly viewers: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'volume'; readonly volume: number; readonly muted: boolean }
  /** A command failed. */
  | {
      readonly type: 'command-error';
      readonly command: string;
      readonly code: FrameCommandCode;
      readonly message: string;
    };

export type FrameEventType = FrameEvent['type'];

/** A message as it is sent with `postMessage`. */
export type FrameMessage<Type extends FrameEventType = FrameEventType> = Extract<FrameEvent, { type: Type }> & {
  readonly source: typeof MESSAGE_SOURCE;
};

/** `click_needed`: the browser blocks playback, or sound, before a click in the frame. */
export type FrameCommandCode = 'unknown_command' | 'invalid_command' | 'click_needed';

/** A message of the embedding page to the player. */
export type FrameCommand =
  | { readonly type: 'play' | 'pause' | 'mute' | 'unmute' | 'retry' | 'requestState' }
  /** 0 to 1. It does not unmute. */
  | { readonly type: 'setVolume'; readonly volume: number };
