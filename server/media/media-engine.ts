import type { EventEmitter } from 'node:events';
import type { EngineCapabilities } from './engine-capabilities.js';

export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';
export type TrackKind = 'audio' | 'video';
/** Identifies a source of a stream. null: the main source. */
export type SourceId = string | null;

export interface PublishOptions {
  /** The video codec to accept from the offer. Absent: the engine's most preferred codec of the offer. */
  readonly codec?: VideoCodec | undefined;
  /** Default: null, the main source. */
  readonly sourceId?: SourceId | undefined;
}

/**
 * The layers that a viewer chooses of a video. Empty: the engine selects by what the viewer's network carries. If a
 * chosen layer does not exist, the nearest one below is sent.
 */
export interface LayerChoice {
  readonly encodingId?: string | undefined;
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  readonly maxSpatialLayerId?: number | undefined;
  readonly maxTemporalLayerId?: number | undefined;
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

export interface ViewOptions {
  readonly layer?: LayerChoice | undefined;
  /** The source of the main m-lines. Absent: the main source, else the first live source. */
  readonly pinnedSourceId?: string | undefined;
  /** Sources that are never shown on the main m-lines. */
  readonly excludedSourceIds?: readonly string[] | undefined;
  /** How long the viewer's player delays frames, in ms. Absent: the player decides. */
  readonly playoutDelay?: { readonly min: number; readonly max: number } | undefined;
  /** Emits `network` for this viewer after each such time, in ms. Absent: never. */
  readonly networkEveryMs?: number | undefined;
  /** Aborts when the viewer is gone: an engine that has the viewer wait need not go on. */
  readonly signal?: AbortSignal | undefined;
}

/** What the way to a viewer lost, by the viewer's receiver reports. Sums since the session began. */
export interface NetworkState {
  /** Packets of audio and video that were sent. */
  readonly packets: number;
  /** Of these, those that the viewer missed. */
  readonly lost: number;
  /** Undefined: not known. */
  readonly roundTripMs: number | undefined;
}

/** One entry of `project`: shows a track of a source on an m-line of the viewer. */
export interface Projection {
  readonly kind: TrackKind;
  /**
   * The m-line's mid. Absent: the first m-line of that kind. A mid that the offer did not have is accepted unchecked.
   */
  readonly mediaId?: string | undefined;
  readonly layer?: LayerChoice | undefined;
}

/** The tracks of a source that is no peer. */
export interface AddedTracks {
  readonly audio?: { readonly codec: 'opus' } | undefined;
  readonly video?:
    | {
        readonly codec: VideoCodec;
        /** H.264: the first four digits of `profile-level-id`, such as `6400`; VP9, AV1: the number. Absent: unknown. */
        readonly profile?: string | undefined;
      }
    | undefined;
}

export interface AddSourceOptions {
  /** Default: null, the main source. */
  readonly sourceId?: SourceId | undefined;
  /** A viewer needs a keyframe. Absent: nobody can be asked. */
  readonly onKeyframeRequest?: (() => void) | undefined;
}

export interface SourceFrame {
  readonly kind: TrackKind;
  /** Video: as `Keyframe.data`. Audio: one Opus packet. */
  readonly data: Buffer;
  readonly isKeyframe: boolean;
  /** On one clock for both kinds. It never wraps, and can be below 0; between the frames of one kind it grows. */
  readonly timestampMs: number;
}

/** A source that is no peer, such as an RTMP encoder. It lives until `close()`, or until the engine emits `session-lost`. */
export interface AddedSource extends ConnectedMedia {
  /** Frames that the engine cannot take any more are left out. */
  write(frame: SourceFrame): void;
}

/** Where a stream can be tapped. It can be sent to another process. */
export interface TapAddress {
  /** Of a Unix socket or a named pipe. */
  readonly path: string;
}

/** Media of a publisher or viewer that is connected. */
export interface ConnectedMedia {
  readonly id: string;
  /** Ends it at once. A second call does nothing. */
  close(): void;
}

/** A stream on its way to another server. It lives until `close()`, or until the engine emits `session-lost`. */
export interface SentRelay extends ConnectedMedia {
  readonly answer: string;
}

/** One peer connection. It lives until `close()`, or until the engine emits `session-lost`. */
export interface MediaSession extends ConnectedMedia {
  /** The SDP answer with all candidates: clients do not trickle. */
  readonly answer: string;
  /**
   * Moves the session to another network path: a new transport replaces the old one. The answer has new ICE credentials
   * and a new DTLS fingerprint.
   * @param offer the same m-lines with new ICE credentials (`restartIce()`)
   * @returns the SDP answer
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
   */
  renew(offer: string): Promise<string>;
  /** Tell the peer through signalling too: its transport may notice only by a timeout, which takes about 9 s in browsers. */
  close(): void;
}

/** The peer connection of a publisher. */
export interface PublishingSession extends MediaSession {
  /**
   * Tells the publisher the most that it may send, of sound and picture together, and at once. Browsers obey; encoders
   * over WHIP may not. Nothing happens with an engine that does not have `limitsBitrate`.
   * @param maxBitrate in bit/s; undefined: no limit
   * @throws {MediaError} `engine_unavailable`
   */
  limitBitrate(maxBitrate: number | undefined): Promise<void>;
}

/** What a viewer is shown. */
export interface ShownMedia {
  /** The mid of the first m-line of each kind. Absent: the viewer receives none of that kind. */
  readonly mids: Readonly<Partial<Record<TrackKind, string>>>;
  /** Replaces the layer choice of the main video. */
  select(layer: LayerChoice): Promise<void>;
  /**
   * Shows a source on these m-lines.
   * @throws {MediaError} `unknown_source`, `unknown_media`
   */
  project(sourceId: SourceId, projections: readonly Projection[]): Promise<void>;
  /** Shows nothing on these m-lines. @throws {MediaError} `unknown_media` */
  unproject(mediaIds: readonly string[]): Promise<void>;
}

export interface ViewingSession extends MediaSession, ShownMedia {}

/** A viewer's peer connection for which the engine makes the offer. Media flows after `accept`. */
export interface OfferedViewing extends ConnectedMedia, ShownMedia {
  /** The SDP offer with all candidates. */
  readonly offer: string;
  /** @param answer of the viewer @throws {MediaError} `invalid_sdp`, `engine_unavailable` */
  accept(answer: string): Promise<void>;
}

/** Counters since the current publisher connected, and the current state. */
export interface StreamStats {
  readonly live: boolean;
  readonly viewers: number;
  readonly packetsIn: number;
  readonly bytesIn: number;
  readonly packetsOut: number;
  readonly keyframes: number;
  readonly nacksAnswered: number;
}

/** One layer of a source's video, as received in the last second. Bitrates in bit/s. */
export interface LayerState {
  /** Simulcast: '0' is the smallest encoding that the source declares, and so on up. One encoding: '0'. */
  readonly encodingId: string;
  readonly simulcastIndex: number;
  /** Absent: the encoding is not scalable in that dimension. */
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  /** Whether packets of it were received in that second. */
  readonly active: boolean;
  readonly bitrate: number;
  readonly packets: number;
  /** Since the source began. */
  readonly totalBytes: number;
  /** By the newest keyframe; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** How the media of a source arrived in the last second. */
export interface ReceptionState {
  /** Packets of audio and video that arrived, those that were sent again included. */
  readonly packets: number;
  /** Packets that did not arrive when they were due, whether or not they were sent again. */
  readonly lost: number;
  /** Frames of video and packets of sound that were not forwarded, because they waited too long for this server. */
  readonly shed: number;
  /** How much the time between packets varied (RFC 3550 6.4.1): of the video, or else of the audio. */
  readonly jitterMs: number;
  /** Of audio and video in bit/s, without what was sent again. */
  readonly bitrate: number;
  /** As negotiated. */
  readonly codecs: Readonly<Partial<Record<TrackKind, string>>>;
}

/** What a viewer is being sent. */
export interface Delivery {
  readonly sessionId: string;
  /** Of audio and video, in bit/s, by the layers as they were measured in the last second. */
  readonly bitrate: number;
  /** What the viewer's network carries, in bit/s. Undefined: the viewer sends no reports about it. */
  readonly availableBitrate: number | undefined;
  /** Of the main video. Undefined: none is sent. */
  readonly layer: DeliveredLayer | undefined;
  /** Packets that could not be sent, since the session began. */
  readonly failedSends: number;
}

/**
 * The figures of one process that carries media, as they were at its last report. Counters begin with the process, and
 * with 0 again when it is restarted.
 */
export interface MediaProcessFigures extends MediaCounters {
  readonly worker: number;
  readonly publishers: number;
  readonly viewers: number;
  readonly streams: number;
  /** Of the viewers whose round trip is known: the median, in ms. */
  readonly roundTripMs: number | undefined;
  /** What the network of a viewer carries by estimate, of those who report about it: the median, in bit/s. */
  readonly availableBitrate: number | undefined;
  /** How long packets waited at most before they were handled in the last second, in ms. */
  readonly eventLoopDelayMs: number;
  /** The part of the last second in which the event loop was busy, 0 to 1. */
  readonly eventLoopBusy: number;
  /** How much less than all layers is sent because of the load: 0 (nothing less) to 4 (no video). */
  readonly loadDegree: number;
}

/** Whether what carries the media works: the processes of an engine, or the servers that it controls. */
export interface MediaHealth {
  /** Whether any new session can have media. */
  readonly isUsable: boolean;
  readonly faults: readonly MediaFault[];
}

/** A process that does not run, a server that cannot be reached, or one of them that has not answered for some seconds. */
export interface MediaFault {
  /** Stable and unique in the engine: `media_process_0`, `janus`, `janus_edge_1`. */
  readonly component: string;
  /** Anybody may read it: no addresses. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface MediaCounters {
  /** Packets from publishers, and those that did not arrive when they were due. */
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** Packets to viewers, those that viewers missed by their reports, and those that were sent again. */
  readonly packetsSent: number;
  readonly packetsMissed: number;
  readonly packetsResent: number;
  /** Packets to viewers that could not be sent. */
  readonly failedSends: number;
  /** To publishers. */
  readonly keyframeRequests: number;
  /** Frames of video, and packets of sound, that waited too long to be forwarded. */
  readonly shedFrames: number;
  readonly shedSoundPackets: number;
}

/** One encoding, and its layers up to these. */
export interface DeliveredLayer {
  readonly encodingId: string;
  /** Undefined: the encoding has no such layers. */
  readonly spatialLayerId: number | undefined;
  readonly temporalLayerId: number | undefined;
  /** By the newest keyframe; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** A picture that can be decoded without another one, as the encoder of the publisher made it. */
export interface Keyframe {
  readonly codec: VideoCodec;
  /** VP8, VP9: the frame. H.264: NAL units with start codes (annex B). AV1: OBUs with sizes, no temporal delimiter. */
  readonly data: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
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
 * Every implementation passes test/server/media/media-engine.contract.ts.
 */
export interface MediaEngine extends EventEmitter<MediaEngineEvents> {
  /** What it cannot do it refuses with `engine_unsupported`, or has nothing to tell about. */
  readonly capabilities: EngineCapabilities;
  /**
   * Connects the publisher of one source. Sessions of the stream that were closed before receive nothing of it.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `stream_in_use` (the source has a publisher; callers must
   *   prevent this), `engine_unavailable`, `engine_unsupported`, `upstream_refused`
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
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `engine_unavailable`, `upstream_refused`,
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
  /** Absent: nothing of the engine can fail by itself. */
  health?(): MediaHealth;
  /**
   * From then on every process of the engine drops what publishers send, until a later call. Without a call there is no
   * deadline. A server that is paused must not go on with streams that another server may have when it wakes.
   * @param time by the monotonic clock that all processes of a machine share (`monotonicNow`), in milliseconds
   */
  publishUntil(time: number): void;
  /** Ends all sessions and frees the ports. */
  close(): Promise<void>;
}

export type MediaErrorCode =
  | 'invalid_sdp'
  | 'no_common_codec'
  | 'stream_in_use'
  | 'engine_unavailable'
  | 'unknown_source'
  | 'unknown_media'
  /** The engine makes the offer for viewers, and the client must be able to answer it. */
  | 'answer_required'
  /** The engine of the stream cannot do this; see `EngineCapabilities`. */
  | 'engine_unsupported'
  /** The upstream of the stream is set up wrongly, or does not accept this server. */
  | 'upstream_refused';

/** A refusal of the engine. The message is for the person who sent the offer. */
export class MediaError extends Error {
  override name = 'MediaError';
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
