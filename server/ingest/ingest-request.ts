import type { Request } from 'express';
import * as z from 'zod/mini';
import { sourceId, streamName } from '../../src/wire/identifiers.js';
import { plainText, text } from '../../src/wire/text.js';
import type { AccessAttempt } from '../admission/admission.js';
import { bearerToken } from '../http/request/bearer-token.js';
import type { ClientAddress } from '../http/request/client-address.js';

/*
 * Unknown query parameters are ignored, because encoders send the parameters of several services.
 */

/** `POST /api/whip/{streamName}`. The token names the account. */
export const whipPath = z.object({ streamName });
export const whipQuery = z.object({
  /** Absent: the server selects one of the offered codecs. */
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

/** The events that an event stream sends. No body selects all events. */
export const eventNames = z.union([z.array(text.check(z.maxLength(64))).check(z.maxLength(32)), z.strictObject({})]);

/** The token, origin and address of a request. */
export function callerOf(
  req: Request,
  clientAddress: ClientAddress,
): Pick<AccessAttempt, 'token' | 'origin' | 'address'> {
  return { token: bearerToken(req), origin: req.headers.origin, address: clientAddress(req) };
}

/** The value of a wildcard parameter: a stream name may contain slashes, escaped or not. A slash at the end is ignored. */
export function wildcardPath(segments: string | readonly string[] | undefined = []): string {
  if (typeof segments === 'string') return segments;
  return (segments.at(-1) === '' ? segments.slice(0, -1) : segments).join('/');
}
