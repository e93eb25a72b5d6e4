import * as z from 'zod/mini';
import { streamName } from './stream-name.js';

/** Body of `POST /api/director/subscribe`. Without a token the account must be named. Fields not known here are ignored. */
export const viewerAuthRequest = z.object({
  streamName,
  streamAccountId: z.optional(z.string().check(z.maxLength(128))),
});

export type ViewerAuthRequest = z.infer<typeof viewerAuthRequest>;
