import type { RejectedError, StreamError } from '../errors.js';

/** A resume signal ends a wait early, but not before this. However often a network changes, no client asks more often. */
export const SHORTEST_WAIT_MS = 1_000;
/** About half a minute: as long as a server needs to notice that the transport of a broadcaster is dead. */
const AWAITED_REFUSALS = 10;

/** The server has a fault of its own, or the session can be had again. The client retries for as long as it lasts. */
const SERVER_FAULT =
  /^(transport_lost|media_engine_restarted|server_stopping|(engine|database)_unavailable|disk_full|busy|internal|grant_(expired|invalid|spent))$/;

/**
 * Another client has to start or to stop first. After a fault of the server, viewers come back before their broadcaster,
 * and a broadcaster before the server has noticed that the old transport is dead. A client that was connected before
 * retries some times, a new one does not.
 */
const AWAITING_OTHERS = /^stream_(not_live|in_use)$/;

/** Whether a request that was refused with this code can succeed later, unchanged. */
export function isTemporary(code: string): boolean {
  return SERVER_FAULT.test(code) || AWAITING_OTHERS.test(code);
}

/** Whether the request succeeds only after another client did something. */
export function isAwaitingOthers(error: StreamError): boolean {
  return error.code === 'rejected' && AWAITING_OTHERS.test((error as RejectedError).reason);
}

/**
 * Whether to connect again. Never after an error that is not `retryable`.
 *
 * @param refusals how many refusals in a row, before this one, were awaiting others
 * @param admitted whether an earlier attempt succeeded
 */
export function shouldReconnect(error: StreamError, refusals: number, admitted: boolean): boolean {
  return error.retryable && (!isAwaitingOthers(error) || (admitted && refusals < AWAITED_REFUSALS));
}

/** Calls `resume` when the browser is online again, and when somebody looks at the page again, until `signal` aborts. */
export function onResume(signal: AbortSignal, resume: (type: 'online' | 'visible') => void): void {
  globalThis.addEventListener?.('online', () => resume('online'), { signal });
  const page = globalThis.document as Document | undefined;
  page?.addEventListener('visibilitychange', () => page.visibilityState === 'visible' && resume('visible'), { signal });
}
