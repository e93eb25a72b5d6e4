import * as z from 'zod/mini';
import { accountId, pasted, sourceId, streamName, text } from '../text.js';
import { viewRequest } from '../websocket/view-request.js';

const streamAccountId = z.optional(accountId);

/** The token, if it is not in a header. A page of another origin then needs no preflight. */
const token = z.optional(pasted);

/** Body of `POST /api/director/publish`. Unknown fields are ignored. */
export const publishAuthRequest = z.object({
  streamName,
  streamAccountId,
  token,
  /** From the answer to `publish`. A publisher that lost the connection takes its source back with it. */
  sessionKey: z.optional(text.check(z.maxLength(128))),
  /** The source of the stream; null is the main one. A publisher may also name it in `publish`. */
  sourceId: z.optional(z.nullable(sourceId)),
});

/** Body of `POST /api/director/check`. Unknown fields are ignored. */
export const checkRequest = z.object({ streamName, streamAccountId, token });

/** Body of `POST /api/director/subscribe`. The account is required without a token. Unknown fields are ignored. */
export const subscribeAuthRequest = z.object({
  streamName,
  streamAccountId,
  token,
  /** Starts the session with this call: the answer has the grant and the SDP answer, before the websocket is open. */
  view: z.optional(viewRequest),
});

export type PublishAuthRequest = z.infer<typeof publishAuthRequest>;
export type SubscribeAuthRequest = z.infer<typeof subscribeAuthRequest>;
