import type {
  LayerChoice,
  MediaEngineEvents,
  MediaErrorCode,
  Projection,
  PublishOptions,
  SourceId,
  StreamStats,
  ViewingSession,
  ViewOptions,
} from '../../media-engine.js';
import type { SfuOptions } from './sfu.js';

/** What the server says to the engine's process. `call` comes back in the answer. */
export type MessageToWorker =
  | WorkerRequest
  | {
      readonly type: 'start';
      readonly options: SfuOptions;
      /** Where it is to listen for others; undefined: there are none. */
      readonly relayPath: string | undefined;
    }
  /** The stream's publishers are with another, who listens there. Undefined: not any more. */
  | { readonly type: 'follow'; readonly stream: string; readonly home: string | undefined }
  /** Answered with `pong` at once: the process is alive. */
  | { readonly type: 'ping' }
  | { readonly type: 'close' };

/** A request that is answered. */
export type WorkerRequest = { readonly call: number } & (
  | { readonly type: 'publish'; readonly stream: string; readonly offer: string; readonly options: PublishOptions }
  | { readonly type: 'view'; readonly stream: string; readonly offer: string; readonly options: ViewOptions }
  | { readonly type: 'stats'; readonly stream: string }
  | { readonly type: 'renew'; readonly session: string; readonly offer: string }
  | { readonly type: 'select'; readonly session: string; readonly layer: LayerChoice }
  | {
      readonly type: 'project';
      readonly session: string;
      readonly sourceId: SourceId;
      readonly projections: readonly Projection[];
    }
  | { readonly type: 'unproject'; readonly session: string; readonly mediaIds: readonly string[] }
  | { readonly type: 'close-session'; readonly session: string }
);

/** What a call comes to. */
export type WorkerResponse = { readonly call: number } & (
  | { readonly type: 'published'; readonly session: string; readonly answer: string }
  | {
      readonly type: 'viewing';
      readonly session: string;
      readonly answer: string;
      readonly mids: ViewingSession['mids'];
    }
  | { readonly type: 'stats'; readonly stats: StreamStats }
  | { readonly type: 'renewed'; readonly answer: string }
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly code: MediaErrorCode; readonly message: string }
);

/** What it took of what it was told to take any of. */
export type WorkerPorts = Pick<SfuOptions, 'udpPort' | 'tcpPort'>;

/** What the engine's process says. */
export type MessageFromWorker =
  | WorkerResponse
  | { readonly type: 'ready'; readonly ports: WorkerPorts }
  | { readonly type: 'not-started'; readonly message: string }
  | { readonly type: 'log'; readonly entry: EngineLogEntry }
  | { readonly type: 'pong' }
  | EngineEventMessage;

/** One of the engine's events, under its name. */
export type EngineEventMessage = {
  [Name in keyof MediaEngineEvents]: { readonly type: Name; readonly event: MediaEngineEvents[Name] };
}[keyof MediaEngineEvents];

/** For the operator. Holds no SDP and no token. */
export interface EngineLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}
