import * as z from 'zod/mini';

/** Why the server ended a session that it had admitted: the `code` of a `stopped` event. Stable, like `reason`. */
export const stopCode = z.enum([
  'replaced',
  'transport_lost',
  'media_engine_restarted',
  'server_stopping',
  'stopped_by_owner',
  'idle',
]);

export type StopCode = z.infer<typeof stopCode>;
