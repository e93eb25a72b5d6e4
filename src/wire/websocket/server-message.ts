import * as z from 'zod/mini';

/**
 * What the server says on the websocket (wire-facts 3.1):
 * `{type:'response', transId, data}`, `{type:'error', transId, data, code}` or `{type:'event', name, seq, data}`.
 * `data` of an error is a plain sentence because native clients read a string; its `transId` is null where the server
 * could not read which command it answers.
 *
 * One flat object, because a union of three costs every page with a viewer 0.3 kB.
 */
export const serverMessage = z.object({
  type: z.string(),
  transId: z.optional(z.unknown()),
  name: z.optional(z.string()),
  /** Grows with every event of a stream; what has a lower one than the last is older news. */
  seq: z.optional(z.number()),
  data: z.optional(z.unknown()),
  code: z.optional(z.string()),
});

export type ServerMessage = z.infer<typeof serverMessage>;
