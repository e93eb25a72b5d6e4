import type { EventEmitter } from 'node:events';

export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';
export type TrackKind = 'audio' | 'video';
/** Tells several sources of one stream apart; null is the main one. */
export type SourceId = string | null;

export interface PublishOptions {
  /** The video codec to take from the offer. Absent: the engine's first that the offer has. */
  readonly codec?: VideoCodec | undefined;
  /** Absent: null, the main source. */
  readonly sourceId?: SourceId | undefined;
}

/**
 * What a viewer asks for of a video that comes in several layers (wire-facts 3.2). Empty: the engine chooses by what
 * the viewer's network carries. What does not exist is answered with the nearest below.
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
  /** The source that the main m-lines show. Absent: the main source, or the first that came where there is none. */
  readonly pinnedSourceId?: string | undefined;
  /** Sources that the main m-lines never show. */
  readonly excludedSourceIds?: readonly string[] | undefined;
  /** How long the viewer's player is to hold frames back, in ms. Absent: its own choice. */
  readonly playoutDelay?: { readonly min: number; readonly max: number } | undefined;
}

/** One line of `project`: a kind of a source, shown on an m-line of the viewer's. */
export interface Projection {
  readonly kind: TrackKind;
  /** The m-line's mid. Absent: the first m-line of that kind. One that the offer did not have is taken on trust. */
  readonly mediaId?: string | undefined;
  readonly layer?: LayerChoice | undefined;
}

/** One peer connection. It lives until `close()`, or until the engine says `session-lost`. */
export interface MediaSession {
  readonly id: string;
  /** SDP answer, complete: candidates inside, no trickle (wire-facts 0.7). */
  readonly answer: string;
  /**
   * Moves the session to another network path: a new transport for the same media, in place of the old one. The
   * answer brings new ICE credentials and a new DTLS fingerprint.
   * @param offer the same m-lines with new ICE credentials (`restartIce()`)
   * @returns the SDP answer
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
   */
  renew(offer: string): Promise<string>;
  /**
   * Ends it at once; closing twice does nothing. Tell the peer: its transport may be left to notice the silence by
   * itself, which takes a browser some 9 s.
   */
  close(): void;
}

export interface ViewingSession extends MediaSession {
  /** The mid of the first m-line of each kind; absent where the viewer takes none of it. */
  readonly mids: Readonly<Partial<Record<TrackKind, string>>>;
  /** Chooses a layer for the main video, in place of the choice before. */
  select(layer: LayerChoice): Promise<void>;
  /**
   * Shows a source on these m-lines, in place of what they showed.
   * @throws {MediaError} `unknown_source`, `unknown_media`
   */
  project(sourceId: SourceId, projections: readonly Projection[]): Promise<void>;
  /** Shows nothing there any more. @throws {MediaError} `unknown_media` */
  unproject(mediaIds: readonly string[]): Promise<void>;
}

/** Counters since the stream's present publisher came, and what is connected now. */
export interface StreamStats {
  readonly live: boolean;
  readonly viewers: number;
  readonly packetsIn: number;
  readonly bytesIn: number;
  readonly packetsOut: number;
  readonly keyframes: number;
  readonly nacksAnswered: number;
}

/** One layer of a source's video, as it came in the last second. Bitrates in bit/s. */
export interface LayerState {
  /** Simulcast: '0' is the smallest by what the source declares, and so on up. One encoding: '0'. */
  readonly encodingId: string;
  readonly simulcastIndex: number;
  /** Absent where the encoding is not scalable in that dimension. */
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  /** Whether anything of it came in that second. */
  readonly active: boolean;
  readonly bitrate: number;
  readonly packets: number;
  /** Since the source began. */
  readonly totalBytes: number;
  /** As the newest keyframe says; 0 when it does not. */
  readonly width: number;
  readonly height: number;
}

export interface MediaEngineEvents {
  /** Media of a source arrives: there is something to see or hear. */
  live: [stream: string, sourceId: SourceId, tracks: readonly TrackKind[]];
  /** Other kinds flow than before: the camera fell silent, or began to send. Only while live. */
  updated: [stream: string, sourceId: SourceId, tracks: readonly TrackKind[]];
  /** It ended: the source's session was closed or lost. Always after a `live` of the same source. */
  ended: [stream: string, sourceId: SourceId];
  /** Once a second while a source with video is live. */
  layers: [stream: string, sourceId: SourceId, layers: readonly LayerState[]];
  /** Whether a viewer can be sent media: its transport opened, fell silent, or is heard again. */
  reachable: [sessionId: string, reachable: boolean];
  /** A session ended without our `close()`: its peer went away, its transport failed or the engine restarted. */
  'session-lost': [sessionId: string, cause: 'transport_lost' | 'media_engine_restarted'];
}

/**
 * What carries media from the publishers of a stream to many viewers. `stream` is an opaque key.
 *
 * Every implementation passes test/server/media/media-engine.contract.ts.
 */
export interface MediaEngine extends EventEmitter<MediaEngineEvents> {
  /**
   * Makes the offer's sender the stream's publisher of one source. Sessions of the stream that were closed before
   * receive nothing of it.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `stream_in_use` (that source has a publisher: who decides
   *   names must know better), `engine_unavailable`
   */
  publish(stream: string, offer: string, options?: PublishOptions): Promise<MediaSession>;
  /**
   * Connects a viewer. The stream need not be live: media flows as soon as it is, whatever codec it then has
   * of those that the offer knows, and again whenever a publisher comes back.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `engine_unavailable`
   */
  view(stream: string, offer: string, options?: ViewOptions): Promise<ViewingSession>;
  stats(stream: string): Promise<StreamStats>;
  /** Ends every session and frees the ports. */
  close(): Promise<void>;
}

export type MediaErrorCode =
  'invalid_sdp' | 'no_common_codec' | 'stream_in_use' | 'engine_unavailable' | 'unknown_source' | 'unknown_media';

/** The engine's no. The message is for the person whose offer it was. */
export class MediaError extends Error {
  override name = 'MediaError';

  constructor(
    readonly code: MediaErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
