import * as z from 'zod/mini';

/**
 * A frame that the server sends on the websocket (wire-facts 3.1): `{type:'response', transId, data}`,
 * `{type:'error', transId, data, code}` or `{type:'event', name, seq, data}`. `data` of an error is a sentence, because
 * native clients read a string; `transId` of an error is null where the server could not read the command.
 */
export const serverMessage = z.object({
  type: z.string(),
  transId: z.optional(z.unknown()),
  name: z.optional(z.string()),
  /** Grows with every event of a stream. An event with a lower number than the last one is out of date. */
  seq: z.optional(z.number()),
  data: z.optional(z.unknown()),
  code: z.optional(z.string()),
});

export type ServerMessage = z.infer<typeof serverMessage>;

/** What `view`, `publish` and `renew` answer. A server may add fields. */
export const commandAnswer = z.object({
  sdp: z.string(),
  /** Of `publish` alone: proves that a publisher who lost the connection is the same one. */
  sessionKey: z.optional(z.string()),
  /** Opens the same websocket address once more, in place of a grant, when this websocket is lost. */
  resumeToken: z.optional(z.string()),
});

export type CommandAnswer = z.infer<typeof commandAnswer>;
