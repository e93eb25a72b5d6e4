import * as z from 'zod/mini';
import { plainText, streamName } from '../../src/wire/stream-name.js';

/** Query of both endpoints; parameters not known here are ignored, as encoders of several services send more of them. */
const sourceId = z.optional(plainText.check(z.minLength(1), z.maxLength(128)));

/** `POST /api/whip/{streamName}`: the account is that of the token. */
export const whipPath = z.object({ streamName });
export const whipQuery = z.object({
  /** Absent: the first that we like of those offered. */
  codec: z.optional(
    z.pipe(
      z.string(),
      z.pipe(
        z.transform((text: string) => text.toLowerCase()),
        z.enum(['h264', 'vp8', 'vp9', 'av1']),
      ),
    ),
  ),
  sourceId,
});

/** `POST /api/whep/{accountId}/{streamName}`. */
export const whepPath = z.object({
  accountId: plainText.check(z.minLength(1), z.maxLength(128)),
  streamName,
});
export const whepQuery = z.object({ sourceId });

/** Which events an event stream is to tell; no body at all: every one. */
export const eventNames = z.union([
  z.array(z.string().check(z.maxLength(64))).check(z.maxLength(32)),
  z.strictObject({}),
]);

const layerId = z.optional(z.int().check(z.gte(0), z.lte(255)));
const pixels = z.optional(z.int().check(z.gte(1), z.lte(65_535)));

/**
 * Body of the layer extension. The draft names an encoding by `rid`, clients in the field by `encodingId`. There is
 * one video to choose for, so `mediaId` and whatever else is sent is passed over.
 */
export const layerChoice = z.object({
  rid: z.optional(plainText.check(z.maxLength(32))),
  encodingId: z.optional(plainText.check(z.maxLength(32))),
  spatialLayerId: layerId,
  temporalLayerId: layerId,
  maxSpatialLayerId: layerId,
  maxTemporalLayerId: layerId,
  maxWidth: pixels,
  maxHeight: pixels,
});
