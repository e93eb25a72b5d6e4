import type { EventEmitter } from 'node:events';

export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';
export type TrackKind = 'audio' | 'video';

export interface PublishOptions {
  /** The video codec to take from the offer. Absent: the engine's first that the offer has. */
  readonly codec?: VideoCodec;
}

/** One peer connection. It lives until `close()`, or until the engine says `session-lost`. */
export interface MediaSession {
  readonly id: string;
  /** SDP answer, complete: candidates inside, no trickle (wire-facts 0.7). */
  readonly answer: string;
  /**
   * Ends it at once; closing twice does nothing. Tell the peer: its transport may be left to notice the silence by
   * itself, which takes a browser some 9 s.
   */
  close(): void;
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

export interface MediaEngineEvents {
  /** Media of the publisher arrives: there is something to see or hear. */
  live: [stream: string, tracks: readonly TrackKind[]];
  /** It ended: the publisher's session was closed or lost. Always after a `live` of the same stream. */
  ended: [stream: string];
  /** A session ended without our `close()`: its peer went away, its transport failed or the engine restarted. */
  'session-lost': [sessionId: string, cause: 'transport_lost' | 'media_engine_restarted'];
}

/**
 * What carries media from one publisher to many viewers. `stream` is an opaque key.
 *
 * Every implementation passes test/server/media/media-engine.contract.ts.
 */
export interface MediaEngine extends EventEmitter<MediaEngineEvents> {
  /**
   * Makes the offer's sender the stream's publisher.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `stream_in_use` (who decides names must know better),
   *   `engine_unavailable`
   */
  publish(stream: string, offer: string, options?: PublishOptions): Promise<MediaSession>;
  /**
   * Connects a viewer. The stream need not be live: media flows as soon as it is, whatever codec it then has
   * of those that the offer knows, and again whenever a publisher comes back.
   * @throws {MediaError} `invalid_sdp`, `no_common_codec`, `engine_unavailable`
   */
  view(stream: string, offer: string): Promise<MediaSession>;
  stats(stream: string): Promise<StreamStats>;
  /** Ends every session and frees the port. */
  close(): Promise<void>;
}

export type MediaErrorCode = 'invalid_sdp' | 'no_common_codec' | 'stream_in_use' | 'engine_unavailable';

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
