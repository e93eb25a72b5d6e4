import * as z from 'zod/mini';
import { layerChoice } from './layer-choice.js';
import { sourceId } from '../source-id.js';
import { text } from '../text.js';

/** Larger than any offer a browser makes with every option of the SDK (8 KB), smaller than a frame or a body may be. */
export const sdp = text.check(z.minLength(1), z.maxLength(60_000));
/** The names of those that the client wants to hear. Absent: all. */
export const wantedEvents = z.optional(z.array(text).check(z.maxLength(32)));

/** What the header extension for it can carry: 12 bits of 10 ms. */
const delay = z.int().check(z.gte(0), z.lte(40_950));

/** What a viewer offers and wants: the data of `view` (wire-facts 3.2), on the websocket or with the director's call. */
export const viewRequest = z.object({
  sdp,
  events: wantedEvents,
  layer: z.optional(z.nullable(layerChoice)),
  pinnedSourceId: z.optional(z.nullable(sourceId)),
  excludedSourceIds: z.optional(z.nullable(z.array(sourceId).check(z.maxLength(64)))),
  forcePlayoutDelay: z.optional(
    z.nullable(
      z.object({ min: delay, max: delay }).check(z.refine(({ min, max }) => min <= max, 'min must not be over max')),
    ),
  ),
});

export type ViewRequest = z.output<typeof viewRequest>;
