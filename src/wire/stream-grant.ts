import * as z from 'zod/mini';

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
  }),
});

export type StreamGrant = z.infer<typeof streamGrant>['data'];
