import type { FaultMessage } from '../../../faults/child-process.js';
import type { MediaEngineEvents } from '../../engine/media-engine.js';
import type { MediaErrorCode } from '../../engine/media-error.js';
import type { Delivery, StreamStats } from '../../engine/media-figures.js';
import type {
  LayerChoice,
  Projection,
  PublishOptions,
  ViewingSession,
  ViewOptions,
} from '../../engine/media-session.js';
import type { Keyframe, SourceId } from '../../engine/media-track.js';
import type { Offer } from '../../sdp/offer.js';
import type { LoadedLibrary } from '../transport/webrtc-library.js';
import type { EngineLogEntry } from './engine-log-entry.js';
import type { SfuOptions } from './sfu.js';
import type { WorkerFigures } from './worker-figures.js';

/** What the server sends to a worker. */
export type MessageToWorker =
  | WorkerRequest
  | {
      readonly type: 'start';
      readonly options: SfuOptions;
      /** Where the worker accepts relay connections. */
      readonly relayPath: string;
    }
  /** Relays the stream from the worker that listens at `home`. Undefined: ends the relay. */
  | { readonly type: 'follow'; readonly stream: string; readonly home: string | undefined }
  /** See `MediaEngine.publishUntil`. */
  | { readonly type: 'publish-until'; readonly time: number }
  /** Answered with `pong` at once. */
  | { readonly type: 'ping' }
  | { readonly type: 'close' };

/** A message with a response. The response has the same `requestId`. */
export type WorkerRequest = { readonly requestId: number } &
  // The text of a stranger costs the server a moment. A worker would keep its packets waiting.
  (
    | { readonly type: 'publish'; readonly stream: string; readonly offer: Offer; readonly options: PublishOptions }
    | { readonly type: 'view'; readonly stream: string; readonly offer: Offer; readonly options: ViewOptions }
    | { readonly type: 'stats'; readonly stream: string }
    | { readonly type: 'deliveries'; readonly stream: string }
    | { readonly type: 'keyframe'; readonly stream: string; readonly sourceId: SourceId }
    /** Sends a stream to another server. */
    | { readonly type: 'relay-send'; readonly stream: string; readonly offer: string }
    /** Begins to receive a stream of another server. `relay-accept` follows, or `close-session`. */
    | { readonly type: 'relay-offer'; readonly stream: string }
    | { readonly type: 'relay-accept'; readonly session: string; readonly answer: string }
    | { readonly type: 'renew'; readonly session: string; readonly offer: Offer }
    | { readonly type: 'limit-bitrate'; readonly session: string; readonly maxBitrate: number | undefined }
    | { readonly type: 'select'; readonly session: string; readonly layer: LayerChoice }
    | {
        readonly type: 'project';
        readonly session: string;
        readonly sourceId: SourceId | undefined;
        readonly projections: readonly Projection[];
      }
    | { readonly type: 'unproject'; readonly session: string; readonly mediaIds: readonly string[] }
    | { readonly type: 'close-session'; readonly session: string }
  );

export type WorkerResponse = { readonly requestId: number } & (
  | { readonly type: 'published'; readonly session: string; readonly answer: string }
  | {
      readonly type: 'viewing';
      readonly session: string;
      readonly answer: string;
      readonly mids: ViewingSession['mids'];
    }
  | { readonly type: 'stats'; readonly stats: StreamStats }
  | { readonly type: 'deliveries'; readonly deliveries: readonly Delivery[] }
  /** `data` in base64, because messages are JSON. */
  | {
      readonly type: 'keyframe';
      readonly keyframe: (Omit<Keyframe, 'data'> & { readonly data: string }) | undefined;
    }
  | { readonly type: 'relay-answer'; readonly session: string; readonly answer: string }
  | { readonly type: 'relay-offered'; readonly session: string; readonly offer: string }
  | { readonly type: 'renewed'; readonly answer: string }
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly code: MediaErrorCode; readonly message: string }
);

/** The type of a response to a request that was not refused. */
export type ResponseType = Exclude<WorkerResponse['type'], 'refused'>;
export type ResponseOf<Type extends ResponseType> = Extract<WorkerResponse, { type: Type }>;

/** `Omit` for each member of a union. */
type WithoutId<Message extends { readonly requestId: number }> = Message extends unknown
  ? Omit<Message, 'requestId'>
  : never;
export type RequestWithoutId = WithoutId<WorkerRequest>;
export type ResponseWithoutId = WithoutId<WorkerResponse>;

/** The ports that a worker uses, where its options allowed any. */
export type WorkerPorts = Pick<SfuOptions, 'udpPort' | 'tcpPort'>;

/** What a worker sends to the server. */
export type MessageFromWorker =
  | WorkerResponse
  | { readonly type: 'ready'; readonly ports: WorkerPorts; readonly library: LoadedLibrary }
  | { readonly type: 'not-started'; readonly message: string }
  | { readonly type: 'pong' }
  | WorkerNotification;

/** What a worker sends without a request. */
export type WorkerNotification =
  | EngineEventMessage
  | { readonly type: 'log'; readonly entry: EngineLogEntry }
  | FaultMessage
  /** Once a second while there are streams: an overloaded worker shows by it that it works. */
  | { readonly type: 'figures'; readonly figures: WorkerFigures };

/** An event of the engine, by its name. */
export type EngineEventMessage = {
  [Name in keyof MediaEngineEvents]: { readonly type: Name; readonly event: MediaEngineEvents[Name] };
}[keyof MediaEngineEvents];
