/**
 * What a media engine can do for a stream. Callers read this before they offer something to a client, and refuse with
 * `engine_unsupported` what the engine cannot do.
 */
export interface EngineCapabilities {
  /** It measures the layers of a source, viewers select among them, and a stream can have several sources. */
  readonly layers: boolean;
  /** It knows whether media reaches a viewer. Otherwise every viewer whose offer was answered counts. */
  readonly viewerCounts: boolean;
  /** A session can move to another network path. */
  readonly resume: boolean;
  /** Viewers keep their session when the publisher leaves, and go on with the next one. */
  readonly keepsViewers: boolean;
  /** Frames go in and out: RTMP encoders, recordings and stills. */
  readonly frames: boolean;
  /** It accepts only what it can carry of an offer, such as the codec that the publisher asked for. */
  readonly restrictsTracks: boolean;
  /** It answers a viewer before the stream is live. Otherwise the viewer waits for the answer. */
  readonly answersWaiting: boolean;
  /** It tells publishers the most that they may send. */
  readonly limitsBitrate: boolean;
  /** It measures what publishers send. */
  readonly measuresBitrate: boolean;
  /** Who makes the SDP offer of a viewing session. */
  readonly offerFrom: 'viewer' | 'server';
}

/** The name of something that some engines cannot do. */
export type EngineFeature = Exclude<keyof EngineCapabilities, 'offerFrom'>;

/** Of an engine that does everything. */
export const EVERY_CAPABILITY: EngineCapabilities = {
  layers: true,
  viewerCounts: true,
  resume: true,
  keepsViewers: true,
  frames: true,
  restrictsTracks: true,
  answersWaiting: true,
  limitsBitrate: true,
  measuresBitrate: true,
  offerFrom: 'viewer',
};
