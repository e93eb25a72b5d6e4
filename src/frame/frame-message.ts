import type { RefusalCode, StreamErrorCode } from '../client/errors.js';
import type { ViewerPhase } from '../client/viewer/viewer-phase.js';

/** Marks what is ours among all that pages say to their frames, in both directions. */
export const MESSAGE_SOURCE = 'streamgate';

/** Where the player in a frame stands. */
export interface FrameState {
  readonly streamName: string;
  readonly phase: ViewerPhase['name'];
  readonly paused: boolean;
  readonly muted: boolean;
  /** 0 to 1. */
  readonly volume: number;
  /** How many watch, while it is live and once that is known. */
  readonly viewers?: number | undefined;
  /** Why it is `rejected`, `reconnecting` or `failed`, in one stable word, and in a sentence. */
  readonly reason?: RefusalCode | StreamErrorCode | undefined;
  readonly message?: string | undefined;
  /** While it is `reconnecting`: when the next try begins, in milliseconds from this message. */
  readonly retryInMs?: number | undefined;
}

/** Something broke. */
export interface FrameError {
  readonly code: StreamErrorCode;
  readonly message: string;
  /** Whether the same request, unchanged, can succeed later. */
  readonly retryable: boolean;
  /** Whether it is tried again by itself. */
  readonly retrying: boolean;
  /** When the next try begins, in milliseconds. Undefined: there is none. */
  readonly retryInMs: number | undefined;
}

/** What the player in a frame tells the page around it. It holds no token, and nothing else that is secret. */
export type FrameEvent =
  /** As soon as the player is there, after each change and before what tells of it, and when it is asked for. */
  | ({ readonly type: 'state' } & FrameState)
  | { readonly type: 'phase'; readonly phase: ViewerPhase['name'] }
  | { readonly type: 'live'; readonly streamName: string }
  | { readonly type: 'ended'; readonly streamName: string }
  | { readonly type: 'waiting'; readonly streamName: string }
  | {
      readonly type: 'rejected';
      readonly reason: RefusalCode;
      readonly message: string;
      /** Whether the same request can succeed later. It is not made again by itself. */
      readonly retryable: boolean;
    }
  | ({ readonly type: 'error' } & FrameError)
  | { readonly type: 'viewer-count'; readonly viewers: number }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'volume'; readonly volume: number; readonly muted: boolean }
  /** A command was not carried out. */
  | {
      readonly type: 'command-error';
      readonly command: string;
      readonly code: FrameCommandCode;
      readonly message: string;
    };

export type FrameEventType = FrameEvent['type'];

/** As it is sent. */
export type FrameMessage<Type extends FrameEventType = FrameEventType> = Extract<FrameEvent, { type: Type }> & {
  readonly source: typeof MESSAGE_SOURCE;
};

/** `click_needed`: the browser lets nothing play, or nothing be heard, before somebody clicks. */
export type FrameCommandCode = 'unknown_command' | 'invalid_command' | 'click_needed';

/** What a page may ask of the player in its frame. */
export type FrameCommand =
  | { readonly type: 'play' | 'pause' | 'mute' | 'unmute' | 'requestState' }
  /** 0 to 1. It does not turn the sound on. */
  | { readonly type: 'setVolume'; readonly volume: number };
