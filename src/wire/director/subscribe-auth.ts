import * as z from 'zod/mini';
import { streamName } from '../identifiers.js';
import { plainText, text } from '../text.js';
import { viewRequest } from '../websocket/view-request.js';

/** Body of `POST /api/director/subscribe`. Without a token the account must be named. Fields not known here are ignored. */
export const subscribeAuthRequest = z.object({
  streamName,
  streamAccountId: z.optional(plainText.check(z.maxLength(128))),
  /** The token, where it is in no header: so a page of another origin needs no preflight. */
  token: z.optional(text),
  /** Begins the session with this call: its answer comes with the grant, and the websocket need not be waited for. */
  view: z.optional(viewRequest),
});

export type SubscribeAuthRequest = z.infer<typeof subscribeAuthRequest>;
