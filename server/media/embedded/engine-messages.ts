import type { MediaEngineEvents, MediaErrorCode, StreamStats, VideoCodec } from '../media-engine.js';
import type { SfuOptions } from './sfu.js';

/** What the server says to the engine's process. `call` comes back in the answer. */
export type EngineRequest =
  | { readonly type: 'start'; readonly options: SfuOptions }
  | {
      readonly type: 'publish';
      readonly call: number;
      readonly stream: string;
      readonly offer: string;
      readonly codec?: VideoCodec | undefined;
    }
  | { readonly type: 'view'; readonly call: number; readonly stream: string; readonly offer: string }
  | { readonly type: 'stats'; readonly call: number; readonly stream: string }
  | { readonly type: 'close-session'; readonly session: string }
  | { readonly type: 'close' };

/** A request that is answered. */
export type EngineCall = Extract<EngineRequest, { call: number }>;

/** What a call comes to. */
export type EngineResult =
  | { readonly type: 'session'; readonly call: number; readonly session: string; readonly answer: string }
  | { readonly type: 'stats'; readonly call: number; readonly stats: StreamStats }
  | { readonly type: 'refused'; readonly call: number; readonly code: MediaErrorCode; readonly message: string };

/** What the engine's process says. */
export type EngineReport =
  | EngineResult
  | { readonly type: 'ready'; readonly udpPort: number }
  | { readonly type: 'not-started'; readonly message: string }
  | { readonly type: 'live'; readonly event: MediaEngineEvents['live'] }
  | { readonly type: 'ended'; readonly event: MediaEngineEvents['ended'] }
  | { readonly type: 'session-lost'; readonly event: MediaEngineEvents['session-lost'] }
  | { readonly type: 'log'; readonly entry: EngineLogEntry };

/** For the operator. Holds no SDP and no token. */
export interface EngineLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}
