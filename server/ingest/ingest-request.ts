import * as z from 'zod/mini';
import { sourceId } from '../../src/wire/source-id.js';
import { streamName } from '../../src/wire/identifiers.js';
import { plainText, text } from '../../src/wire/text.js';

/*
 * Parameters of the query that are not known here are passed over, as encoders of several services send more of them.
 */

/** `POST /api/whip/{streamName}`: the account is that of the token. */
export const whipPath = z.object({ streamName });
export const whipQuery = z.object({
  /** Absent: the first that we like of those offered. */
  codec: z.optional(
    z.pipe(
      text,
      z.pipe(
        z.transform((name: string) => name.toLowerCase()),
        z.enum(['h264', 'vp8', 'vp9', 'av1']),
      ),
    ),
  ),
  sourceId: z.optional(sourceId),
});

/** `POST /api/whep/{accountId}/{streamName}`. */
export const whepPath = z.object({
  accountId: plainText.check(z.minLength(1), z.maxLength(128)),
  streamName,
});
export const whepQuery = z.object({ sourceId: z.optional(sourceId) });

/** Which events an event stream is to tell; no body at all: every one. */
export const eventNames = z.union([z.array(text.check(z.maxLength(64))).check(z.maxLength(32)), z.strictObject({})]);
