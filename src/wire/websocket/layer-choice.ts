import * as z from 'zod/mini';
import { text } from '../text.js';

const whole = z.int().check(z.gte(0), z.lte(65_535));
/** Existing clients say 255 for a dimension that does not exist (wire-facts 3.3). */
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
 * A layer as clients name it. Null and absent are the same here: existing clients pass on whatever their page gave
 * them. `rid` is how the WHEP draft calls an encoding.
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
