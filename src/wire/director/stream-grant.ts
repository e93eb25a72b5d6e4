import * as z from 'zod/mini';
import { commandAnswer } from '../websocket/command-answer.js';

/** The director's yes, to viewers and publishers alike. A server may add fields; a client must not break when it does. */
export const streamGrant = z.object({
  status: z.literal('success'),
  data: z.object({
    jwt: z.string(),
    /** Websocket addresses without a query, the best first; at least one. */
    urls: z.array(z.string()),
    /** Go to RTCPeerConnection as they are; it checks them itself. */
    iceServers: z.optional(z.array(z.unknown())),
    streamAccountId: z.optional(z.string()),
    /** Whole seconds until the token runs out. Absent: it does not, or none was shown. */
    tokenExpiresIn: z.optional(z.number()),
    /** What `view` answers, and what the websocket would tell after it. Absent: the call had no `view`, or it was not read. */
    view: z.optional(
      z.extend(commandAnswer, {
        events: z.array(z.object({ name: z.string(), seq: z.optional(z.number()), data: z.optional(z.unknown()) })),
      }),
    ),
  }),
});

export type StreamGrant = z.infer<typeof streamGrant>['data'];
