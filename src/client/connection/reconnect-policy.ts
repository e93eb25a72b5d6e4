import type { RejectedError, StreamError } from '../errors.js';

/** A resume signal cannot make a wait shorter than this, because some networks change very often. */
export const SHORTEST_WAIT_MS = 1_000;
/** About half a minute: a server needs this time to detect that the transport of a broadcaster is dead. */
const AWAITED_REFUSALS = 10;

/** The server has a fault, or only this session is lost. The client retries without a limit. */
const SERVER_FAULT =
  /^(transport_lost|media_engine_restarted|server_stopping|(engine|database)_unavailable|disk_full|.*busy|internal|moved|wrong_node|grant_(expired|invalid|spent))$/;

/**
 * Another client has to stop first. A broadcaster reconnects before the server has detected that the old transport is
 * dead. A client that was connected before retries a few times. A new client does not retry.
 */
const AWAITING_OTHERS = /^(stream_in_use|(token|account)_full)$/;
const NOT_LIVE = 'stream_not_live';

/** Whether the same request can succeed later. */
export function isTemporary(code: string): boolean {
  return code === NOT_LIVE || SERVER_FAULT.test(code) || AWAITING_OTHERS.test(code);
}

/** Whether the request can succeed only after another client stops. */
export function isAwaitingOthers(error: StreamError): boolean {
  return AWAITING_OTHERS.test(reasonOf(error));
}

/** Whether the viewer came too early. It waits for as long as that takes. */
export function isNotLive(error: StreamError): boolean {
  return reasonOf(error) === NOT_LIVE;
}

const reasonOf = (error: StreamError): string => (error.code === 'rejected' ? (error as RejectedError).reason : '');

/**
 * Whether to connect again. Never after an error that is not `retryable`.
 *
 * @param refusals the number of such refusals (`isAwaitingOthers`) in a row before this one
 * @param admitted whether an earlier attempt succeeded
 */
export function shouldReconnect(error: StreamError, refusals: number, admitted: boolean): boolean {
  return error.retryable && (!isAwaitingOthers(error) || (admitted && refusals < AWAITED_REFUSALS));
}

/** Calls `resume` when the browser is online again and when the page becomes visible, until `signal` aborts. */
export function onResume(signal: AbortSignal, resume: (type: 'online' | 'visible') => void): void {
  globalThis.addEventListener?.('online', () => resume('online'), { signal });
  const page = globalThis.document as Document | undefined;
  page?.addEventListener('visibilitychange', () => page.visibilityState === 'visible' && resume('visible'), { signal });
}
