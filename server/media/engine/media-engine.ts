import type { EventEmitter } from 'node:events';
import type { EngineCapabilities } from './engine-capabilities.js';
import type {
  Delivery,
  LayerState,
  MediaHealth,
  MediaPort,
  MediaProcessFigures,
  NetworkState,
  ReceptionState,
  StreamStats,
} from './media-figures.js';
import type {
  AddSourceOptions,
  AddedSource,
  ConnectedMedia,
  OfferedViewing,
  PublishOptions,
  PublishingSession,
  SentRelay,
  ViewOptions,
  ViewingSession,
} from './media-session.js';
import type { AddedTracks, Keyframe, SourceId, TrackKind } from './media-track.js';

/** Where a stream can be tapped. It can be sent to another process. */
export interface TapAddress {
  /** Of a Unix socket or a named pipe. */
  readonly path: string;
}

export interface MediaEngineEvents {
  /** The first packet of a source arrived. */
  live: [stream: string, sourceId: SourceId, tracks: readonly TrackKind[]];
  /** Other tracks send packets than before: a track stopped, or began to send. Only while live. */
  updated: [stream: string, sourceId: SourceId, tracks: readonly TrackKind[]];
  /** The source's session was closed or lost. Always after a `live` of the same source. */
  ended: [stream: string, sourceId: SourceId];
  /** Once a second for each live source with video. */
  layers: [stream: string, sourceId: SourceId, layers: readonly LayerState[]];
  /** Once a second for each live source. */
  reception: [stream: string, sourceId: SourceId, state: ReceptionState];
  /** Whether a viewer is reachable: its transport opened, its reports stopped, or they resumed. */
  reachable: [sessionId: string, reachable: boolean];
  /** The mids of a viewer's m-lines whose video is paused: its network, or the load of this engine, allows less than the lowest layer. */
  paused: [sessionId: string, mediaIds: readonly string[]];
  /** For viewers that connected with `networkEveryMs`, once something was sent to them. */
  network: [sessionId: string, state: NetworkState];
  /** A session ended without `close()`: the peer left, the transport failed, or the engine restarted. */
  'session-lost': [sessionId: string, cause: 'transport_lost' | 'media_engine_restarted'];
}

/**
 * Carries media from the publishers of a stream to its viewers. `stream` is an opaque key.
 *
 * Every implementation passes test/server/media/engine/media-engine.contract.ts.
 */
export interface MediaEngine extends EventEmitter<MediaEngineEvents> {
  /** What it cannot do it refuses with `engine_unsupported`, or has nothing to tell about. */
  readonly capabilities: EngineCapabilities;
  /**
   * Connects the publisher of one source. Sessions of the stream that were closed before receive nothing of it.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `bundle_required`, `too_many_tracks`, `stream_in_use` (the
   *   source has a publisher; callers must prevent this), `engine_unavailable`, `engine_unsupported`, `upstream_refused`
   */
  publish(stream: string, offer: string, options?: PublishOptions): Promise<PublishingSession>;
  /**
   * Adds a source whose frames the caller writes. For viewers and events it is as one of a publisher.
   * @throws {MediaError} `stream_in_use` as `publish`, `engine_unavailable`
   */
  addSource(stream: string, tracks: AddedTracks, options?: AddSourceOptions): Promise<AddedSource>;
  /**
   * Connects a viewer. The stream need not be live: media flows whenever a publisher sends, in any codec of the offer,
   * without a new negotiation. An engine that does not answer waiting viewers (`answersWaiting`) resolves when the stream
   * is live.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `bundle_required`, `engine_unavailable`, `upstream_refused`,
   *   `answer_required` (`offerFrom`)
   */
  view(stream: string, offer: string, options?: ViewOptions): Promise<ViewingSession>;
  /**
   * Connects a viewer as `view`, with an offer of the engine. Absent: `offerFrom` is `viewer`.
   * @param wanted an offer of the viewer: the kinds that it receives
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `engine_unavailable`
   */
  offer?(stream: string, wanted: string, options?: ViewOptions): Promise<OfferedViewing>;
  stats(stream: string): Promise<StreamStats>;
  /** What each viewer of the stream is being sent, in no order. @throws {MediaError} `engine_unavailable` */
  deliveries(stream: string): Promise<readonly Delivery[]>;
  /**
   * Asks the publisher for a keyframe of the smallest encoding that it sends, and waits for it: about 3 s at most. All
   * viewers of that encoding receive the keyframe too, so do not ask often.
   * @returns undefined: the source sends no video, or no keyframe came
   * @throws {MediaError} `engine_unavailable`
   */
  keyframe(stream: string, sourceId: SourceId): Promise<Keyframe | undefined>;
  /**
   * Where a process of this machine receives the media of a live stream, by an `OpenTap`. Another
   * address may hold after each `live` of the stream.
   * @returns undefined: no publisher is connected, or the engine is restarting
   */
  tapAddress(stream: string): TapAddress | undefined;
  /** Whether `sendRelay` and `receiveRelay` work for the stream. Absent: they are absent. */
  canRelay?(stream: string): boolean;
  /**
   * Sends what the publishers of a stream send to another server, over the transports of peers: each packet once, and of
   * the video only the encodings that the other server wants. Absent: the engine cannot.
   * @param offer of `receiveRelay` there
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`: also while no publisher is connected
   */
  sendRelay?(stream: string, offer: string): Promise<SentRelay>;
  /**
   * Receives a stream that another server has. For viewers and events its sources are as those of publishers here, but
   * there is no `reception`. A source that ends may come again over the same relay. Absent: the engine cannot.
   * @param exchange passes an offer to the other server, and returns the answer
   * @throws {MediaError} `engine_unavailable` @throws what `exchange` does
   */
  receiveRelay?(stream: string, exchange: (offer: string) => Promise<string>): Promise<ConnectedMedia>;
  /** The figures of the processes that run. Absent: the engine has no such processes. */
  figures?(): readonly MediaProcessFigures[];
  /**
   * When a process of it last sent less than it could because of its load, in milliseconds since 1970. Undefined: none did.
   * Absent: the engine does not know it.
   */
  overloadedOn?(): number | undefined;
  /** Absent: nothing of the engine can fail by itself. */
  health?(): MediaHealth;
  /** The UDP ports of its own processes. Absent: it has none. */
  mediaPorts?(): readonly MediaPort[];
  /**
   * From then on every process of the engine drops what publishers send, until a later call. Without a call there is no
   * deadline. A server that is paused must not go on with streams that another server may have when it wakes.
   * @param time by the monotonic clock that all processes of a machine share (`monotonicNow`), in milliseconds
   */
  publishUntil(time: number): void;
  /** Ends all sessions and frees the ports. */
  close(): Promise<void>;
}
