import * as z from 'zod/mini';

const streamId = z.optional(z.string());
/** Null is the main source. */
const sourceId = z.optional(z.nullable(z.string()));

/**
 * Data of `active` and `updated`: the tracks that a source of the stream sends now. `media` is `audio`
 * or `video`. Without `tracks`, the source sends both.
 */
export const activeEvent = z.object({
  streamId,
  sourceId,
  tracks: z.optional(z.array(z.object({ trackId: z.optional(z.string()), media: z.string() }))),
});

/**
 * Data of `inactive`: a source ended. `declared`: the broadcaster or the owner of the stream ended it, at `endedOn`, in
 * milliseconds since 1970.
 */
export const inactiveEvent = z.object({
  streamId,
  sourceId,
  declared: z.optional(z.boolean()),
  endedOn: z.optional(z.number()),
});

/** Data of `interrupted`: the live sources whose media has stopped and may come back. */
export const interruptedEvent = z.object({ streamId, sourceIds: z.array(z.nullable(z.string())) });

/** Data of `viewercount`. Some servers write `viewerCount`; this server writes both. */
export const viewerCountEvent = z.object({ streamId, viewercount: z.number() });

/** A layer that can be selected. 255: the encoding is not scalable in that dimension. */
export const videoLayer = z.object({
  encodingId: z.optional(z.string()),
  simulcastIdx: z.optional(z.number()),
  spatialLayerId: z.optional(z.number()),
  temporalLayerId: z.optional(z.number()),
  bitrate: z.number(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});

/** Data of `layers`: the layers of each video that a viewer receives, by the mid of its m-line. */
export const layersEvent = z.object({
  medias: z.record(
    z.string(),
    z.object({
      active: z.array(z.object({ id: z.optional(z.string()), bitrate: z.number(), layers: z.array(videoLayer) })),
      inactive: z.array(z.object({ id: z.optional(z.string()) })),
      layers: z.array(videoLayer),
    }),
  ),
});

/** Data of `paused`: the mids of the m-lines whose video the server does not send, because the network is too slow. */
export const pausedEvent = z.object({ streamId, mediaIds: z.array(z.string()) });

/** Data of `waiting`, for a viewer: `view` is answered when the stream is live. */
export const waitingEvent = z.object({ streamId });

/** Data of `migrate`: the server stops soon. The director returns the new address. */
export const migrateEvent = z.object({ streamId });

/** Data of `recording`, for the publisher of the source. `fault` is a code, or null where all is well. */
export const recordingEvent = z.object({
  streamId,
  sourceId,
  state: z.enum(['on', 'off']),
  fault: z.optional(z.nullable(z.string())),
});

/**
 * Data of `load`, for the publisher of the source: the server has too much to do and sends viewers less, or no longer. What
 * the client measures of its upload then says little.
 */
export const loadEvent = z.object({ streamId, sourceId, overloaded: z.boolean() });

/** Data of `stopped`: the server ended an admitted session. `code` is a stop code or a rule refusal code. */
export const stoppedEvent = z.object({
  streamId,
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});

export type ActiveEvent = z.infer<typeof activeEvent>;
export type InactiveEvent = z.infer<typeof inactiveEvent>;
export type InterruptedEvent = z.infer<typeof interruptedEvent>;
export type ViewerCountEvent = z.infer<typeof viewerCountEvent>;
export type LayersEvent = z.infer<typeof layersEvent>;
export type PausedEvent = z.infer<typeof pausedEvent>;
export type RecordingEvent = z.infer<typeof recordingEvent>;
export type LoadEvent = z.infer<typeof loadEvent>;
export type StoppedEvent = z.infer<typeof stoppedEvent>;
