import * as z from 'zod/mini';

/**
 * Why the server ended a session that it had admitted: the `code` of a `stopped` event. Codes are stable, and each has
 * a page in docs/errors.
 */
export const stopCode = z.enum([
  /** Another session of the same publisher has replaced this one. */
  'replaced',
  /** Media and STUN checks of the client stopped. */
  'transport_lost',
  'media_engine_restarted',
  'server_stopping',
  /** The server has not reached its database for seconds, so another server may have the stream of this publisher. */
  'database_unavailable',
  /** Another server has the stream that this viewer waited for. */
  'moved',
  /** The account stopped the stream with the management API. */
  'stopped_by_owner',
  /** The client sent no command that starts a session. */
  'idle',
  /** The token permits only so many viewers, and another one came. */
  'displaced',
  /** The publisher sent far more than the operator permits its account. */
  'bitrate_too_high',
  /** The account ended the session of this viewer with the management API. */
  'removed_by_owner',
]);

export type StopCode = z.infer<typeof stopCode>;
