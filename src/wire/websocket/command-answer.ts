import * as z from 'zod/mini';

/** What `view` and `publish` answer. Only the SDP is certain; a server may add fields. */
export const commandAnswer = z.object({
  sdp: z.string(),
  /** `publish` only: names this broadcaster when it comes back after a drop. */
  sessionKey: z.optional(z.string()),
  /** Opens the same websocket address once, in place of a grant, when this one is lost. */
  resumeToken: z.optional(z.string()),
});

export type CommandAnswer = z.infer<typeof commandAnswer>;
