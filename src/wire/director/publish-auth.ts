import * as z from 'zod/mini';
import { sourceId } from '../source-id.js';
import { streamName } from '../identifiers.js';
import { plainText, text } from '../text.js';

/** Body of `POST /api/director/publish`. Fields not known here are ignored. */
export const publishAuthRequest = z.object({
  streamName,
  streamAccountId: z.optional(plainText.check(z.maxLength(128))),
  /** The token, where it is in no header: so a page of another origin needs no preflight. */
  token: z.optional(text),
  /** From the answer to the `publish` command: lets the same broadcaster take its name back after a drop. */
  sessionKey: z.optional(text.check(z.maxLength(128))),
  /** Which source of the stream it will be; null is the main one. Who does not say it here says it in `publish`. */
  sourceId: z.optional(z.nullable(sourceId)),
});

export type PublishAuthRequest = z.infer<typeof publishAuthRequest>;
