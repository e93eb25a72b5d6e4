import * as z from 'zod/mini';
import { layerChoice } from './layer-choice.js';
import { sourceId, text } from '../text.js';

/** Browsers create offers of up to 8 KB with all options of the SDK. A frame or a body may be larger than this. */
export const sdp = text.check(z.minLength(1), z.maxLength(60_000));
/** The names of the events to send to the client. Absent: all. */
export const wantedEvents = z.optional(z.array(text).check(z.maxLength(32)));

/** In milliseconds. The header extension has 12 bits, in units of 10 ms. */
const delay = z.int().check(z.gte(0), z.lte(40_950));

/** Data of `view`: the offer and the options, on the websocket or in the director's call. */
export const viewRequest = z.object({
  sdp,
  events: wantedEvents,
  /** An extension of Streamgate: the client answers if the answer is an offer (`answer`). */
  takesOffer: z.optional(z.boolean()),
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
