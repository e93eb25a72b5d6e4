import * as z from 'zod/mini';

const iceServer = z.looseObject({
  urls: z.union([z.string(), z.array(z.string())]),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});

/** The director's yes, to viewers and publishers alike. A server may add fields; a client must not break when it does. */
export const streamGrant = z.object({
  status: z.literal('success'),
  data: z.looseObject({
    jwt: z.string(),
    /** Websocket addresses without a query, the best first. */
    urls: z.array(z.string()).check(z.minLength(1)),
    iceServers: z._default(z.array(iceServer), []),
    streamAccountId: z.optional(z.string()),
  }),
});

export type StreamGrant = z.infer<typeof streamGrant>['data'];
