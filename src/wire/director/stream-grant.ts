import * as z from 'zod/mini';
import { commandAnswer } from '../websocket/server-message.js';

/**
 * The director's answer that grants access, to viewers and to publishers. A server may add fields, and
 * clients ignore those they do not know.
 */
export const streamGrant = z.object({
  status: z.literal('success'),
  data: z.object({
    /** Opens one websocket, within a minute. */
    jwt: z.string(),
    /** Websocket addresses without a query, the best first; at least one. */
    urls: z.array(z.string()),
    /** Passed unchanged to `RTCPeerConnection`, which validates them. */
    iceServers: z.optional(z.array(z.unknown())),
    streamAccountId: z.optional(z.string()),
    /** Whole seconds until the token expires. Absent: it does not expire, or the request had no token. */
    tokenExpiresIn: z.optional(z.number()),
    /** For publishers: whether the token records, which asks for a codec that can be played back. */
    record: z.optional(z.boolean()),
    /**
     * The answer to the `view` of the request, and the events that the websocket would send after it. Absent: the
     * request had no `view`, or the server does not read it.
     */
    view: z.optional(
      z.extend(commandAnswer, {
        events: z.array(z.object({ name: z.string(), seq: z.optional(z.number()), data: z.optional(z.unknown()) })),
      }),
    ),
  }),
});

/** Answer of `POST /api/director/check`: what applies to a broadcast, before it begins. */
export const broadcastTerms = z.object({
  status: z.literal('success'),
  data: z.object({
    streamAccountId: z.string(),
    /** Whether viewers need a token. */
    subscribeRequiresAuth: z.boolean(),
    /** Whether it is recorded from its start. */
    record: z.boolean(),
  }),
});

export type BroadcastTerms = z.infer<typeof broadcastTerms>['data'];

export type StreamGrant = z.infer<typeof streamGrant>['data'];
