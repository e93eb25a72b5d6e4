import * as z from 'zod/mini';

/** What the server says on the websocket. `error.data` is a plain sentence because native clients read a string. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response'), transId: z.number(), data: z.unknown() }),
  z.object({
    type: z.literal('error'),
    transId: z.nullable(z.number()),
    data: z.unknown(),
    code: z.optional(z.string()),
  }),
  z.object({ type: z.literal('event'), name: z.string(), data: z.unknown() }),
]);

export type ServerMessage = z.infer<typeof serverMessage>;
