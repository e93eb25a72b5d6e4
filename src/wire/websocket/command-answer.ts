import * as z from 'zod/mini';

/** What `view`, `publish` and `renew` answer. A server may add fields. */
export const commandAnswer = z.object({
  sdp: z.string(),
  /** Of `publish` alone: proves that a publisher who lost the connection is the same one. */
  sessionKey: z.optional(z.string()),
  /** Opens the same websocket address once more, in place of a grant, when this websocket is lost. */
  resumeToken: z.optional(z.string()),
});

export type CommandAnswer = z.infer<typeof commandAnswer>;
