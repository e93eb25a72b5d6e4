import type { AddedTracks, SourceFrame, SourceId, TrackKind, VideoCodec } from './media-track.js';

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

export interface PublishOptions {
  /** The video codec to accept from the offer. Absent: the engine's most preferred codec of the offer. */
  readonly codec?: VideoCodec | undefined;
  /** Default: null, the main source. */
  readonly sourceId?: SourceId | undefined;
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

/** One entry of `project`: shows a track of a source on an m-line of the viewer. */
export interface Projection {
  readonly kind: TrackKind;
  /**
   * The m-line's mid. Absent: the first m-line of that kind. A mid that the offer did not have is accepted unchecked.
   */
  readonly mediaId?: string | undefined;
  readonly layer?: LayerChoice | undefined;
}

export interface AddSourceOptions {
  /** Default: null, the main source. */
  readonly sourceId?: SourceId | undefined;
  /** A viewer needs a keyframe. Absent: nobody can be asked. */
  readonly onKeyframeRequest?: (() => void) | undefined;
}

/** Media of a publisher or viewer that is connected. */
export interface ConnectedMedia {
  readonly id: string;
  /** Ends it at once. A second call does nothing. */
  close(): void;
}

/** A source that is no peer, such as an RTMP encoder. It lives until `close()`, or until the engine emits `session-lost`. */
export interface AddedSource extends ConnectedMedia {
  /** Frames that the engine cannot take any more are left out. */
  write(frame: SourceFrame): void;
  /**
   * It has these tracks from now on, whose video begins with a keyframe. It stays live: viewers keep the last picture until
   * the next one.
   */
  setTracks(tracks: AddedTracks): void;
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
   * Shows a source on these m-lines. Undefined: the one that the viewer was shown at first, and another one when it ends.
   * @throws {MediaError} `unknown_source`, `unknown_media`
   */
  project(sourceId: SourceId | undefined, projections: readonly Projection[]): Promise<void>;
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
