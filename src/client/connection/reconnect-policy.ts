import type { RejectedError, StreamError } from '../errors.js';

/** Waking up shortens a wait, down to this: whatever flickers, no viewer asks more often. */
export const SHORTEST_WAIT_MS = 1_000;
/** About half a minute: as long as a server needs to notice that a broadcaster's transport is dead. */
const AWAITED_REFUSALS = 10;

/** The service has a trouble of its own: tried again for as long as it lasts. */
const SERVICE_TROUBLE: ReadonlySet<string> = new Set([
  'transport_lost',
  'media_engine_restarted',
  'server_stopping',
  'engine_unavailable',
  'database_unavailable',
  'disk_full',
  'busy',
  'internal',
  'grant_expired',
  'grant_invalid',
  'grant_spent',
]);

/**
 * Somebody else has to begin or to end first. After a break of the server's own, viewers come back before their
 * broadcaster, and a broadcaster before the server has noticed that its old transport is dead: who was in before tries
 * again some times. A newcomer is told at once.
 */
const AWAITED: ReadonlySet<string> = new Set(['stream_not_live', 'stream_in_use']);

/** Whether a request that was refused for this reason can succeed later, unchanged. */
export function isTemporary(reason: string): boolean {
  return SERVICE_TROUBLE.has(reason) || AWAITED.has(reason);
}

/** Whether it is up to somebody else when the request succeeds. */
export function isAwaitingOthers(error: StreamError): boolean {
  return error.code === 'rejected' && AWAITED.has((error as RejectedError).reason);
}

/**
 * Whether to try again. Never after an error that is not `retryable`.
 *
 * @param refusals how many in a row, before this one, were refused and awaited
 * @param admitted whether a try succeeded earlier
 */
export function shouldReconnect(error: StreamError, refusals: number, admitted: boolean): boolean {
  return error.retryable && (!isAwaitingOthers(error) || (admitted && refusals < AWAITED_REFUSALS));
}
