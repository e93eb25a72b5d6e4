import * as z from 'zod/mini';

/**
 * A frame that the server sends on the websocket: `{type:'response', transId, data}`,
 * `{type:'error', transId, data, code}` or `{type:'event', name, seq, data}`. `data` of an error is a message as text,
 * because native clients read a string. `transId` of an error is null if the server could not read the command.
 */
export const serverMessage = z.object({
  type: z.string(),
  transId: z.optional(z.unknown()),
  name: z.optional(z.string()),
  /** Grows with every event of a stream. A client ignores an event with a lower number than the last one. */
  seq: z.optional(z.number()),
  data: z.optional(z.unknown()),
  code: z.optional(z.string()),
});

export type ServerMessage = z.infer<typeof serverMessage>;

/** The answer to `view`, `publish` and `renew`. A server may add fields. */
export const commandAnswer = z.object({
  sdp: z.string(),
  /**
   * Only in the answer to `view`, and only if the request said `takesOffer`: `sdp` is an offer. The client replaces its own
   * offer, and sends its answer with the command `answer`.
   */
  type: z.optional(z.string()),
  /** Only in the answer to `publish`. A publisher that lost the connection takes its source back with it. */
  sessionKey: z.optional(z.string()),
  /** Opens the same websocket address once more, instead of a grant, after this websocket is lost. */
  resumeToken: z.optional(z.string()),
  /** Only in the answer to `view`: the seconds between two reports. Absent: the server wants no reports. */
  reportSeconds: z.optional(z.number()),
});

export type CommandAnswer = z.infer<typeof commandAnswer>;
