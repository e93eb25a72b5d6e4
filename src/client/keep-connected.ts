import { asStreamError, type StreamError } from './errors.js';
import { backoffMs, shouldReconnect } from './reconnect-policy.js';

/** A connection that held this long was a good one: the next break starts counting afresh. */
const SETTLED_AFTER_MS = 5_000;

export interface KeepConnectedOptions {
  /** Ends everything, in whatever state it is. */
  readonly signal: AbortSignal;
  /**
   * One connection from beginning to end: calls `connected` once it stands, and rejects when it is lost.
   * `signal` aborts when it is over; release everything then.
   */
  readonly connect: (signal: AbortSignal, connected: () => void) => Promise<never>;
  /** Lost, and to be tried again. `attempt` counts from 1. */
  readonly onBreak: (error: StreamError, attempt: number) => void;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Connects, and connects again, until `signal` aborts (resolves) or trying again is pointless.
 *
 * @throws {StreamError} the one that made it pointless
 */
export async function keepConnected({
  signal,
  connect,
  onBreak,
  random,
  now = () => performance.now(),
}: KeepConnectedOptions): Promise<void> {
  let admitted = false;
  let refusals = 0;
  for (let attempt = 0; ; attempt++) {
    const life = new AbortController();
    let since: number | undefined;
    try {
      await connect(AbortSignal.any([signal, life.signal]), () => {
        admitted = true;
        since = now();
      });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = asStreamError(thrown);
      if (since !== undefined && now() - since >= SETTLED_AFTER_MS) attempt = 0;
      if (!shouldReconnect(error, refusals, admitted)) throw error;
      refusals = error.retryable ? 0 : refusals + 1;
      // After an outage of any length the service answers again: only now does the wait for the stream begin.
      if (refusals === 1) attempt = 0;
      onBreak(error, attempt + 1);
      life.abort();
      await pause(backoffMs(attempt, error.retryAfterMs, random), signal);
      if (signal.aborted) return;
    } finally {
      life.abort();
    }
  }
}

/** Over after `ms`, on abort, or when the machine is back on a network. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { signal: over.signal });
    globalThis.addEventListener?.('online', done, { signal: over.signal });
  });
}
