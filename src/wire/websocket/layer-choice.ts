import * as z from 'zod/mini';
import { text } from '../text.js';

const whole = z.int().check(z.gte(0), z.lte(65_535));
/** Existing clients write 255 for a dimension in which the video has no layers. */
const layerId = z.optional(
  z.nullable(
    z.pipe(
      whole,
      z.transform((id: number) => (id === 255 ? undefined : id)),
    ),
  ),
);
const size = z.optional(z.nullable(whole));
const encodingId = z.optional(z.nullable(text.check(z.maxLength(32))));

/**
 * The layer that a client selects. Null means the same as absent, because existing clients pass on values of their page
 * unchanged. `rid` is the name of `encodingId` in the WHEP draft.
 */
export const layerChoice = z.pipe(
  z.object({
    encodingId,
    rid: encodingId,
    spatialLayerId: layerId,
    temporalLayerId: layerId,
    maxSpatialLayerId: layerId,
    maxTemporalLayerId: layerId,
    maxWidth: size,
    maxHeight: size,
  }),
  z.transform((choice) => ({
    encodingId: choice.encodingId ?? choice.rid ?? undefined,
    spatialLayerId: choice.spatialLayerId ?? undefined,
    temporalLayerId: choice.temporalLayerId ?? undefined,
    maxSpatialLayerId: choice.maxSpatialLayerId ?? undefined,
    maxTemporalLayerId: choice.maxTemporalLayerId ?? undefined,
    maxWidth: choice.maxWidth ?? undefined,
    maxHeight: choice.maxHeight ?? undefined,
  })),
);
