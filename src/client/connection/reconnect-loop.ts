import { asStreamError, RejectedError, type StreamError } from '../errors.js';
import { backoffMs } from './backoff.js';
import { isAwaitingOthers, isNotLive, onResume, SHORTEST_WAIT_MS, shouldReconnect } from './reconnect-policy.js';

/** After a connection of at least this length, the next attempts are counted from the first again. */
const STABLE_AFTER_MS = 5_000;

/** One connection of the loop. */
export interface Attempt {
  /** Aborts when the connection is over. Release all resources then. */
  readonly signal: AbortSignal;
  /** Whether the previous connection still plays. Nothing of this one is shown until `connected` is called. */
  readonly isStandby: boolean;
  /** Call it when media can flow. It ends the previous connection. */
  connected(): void;
  /** Call it when this connection ends soon. It starts another one while this one continues. */
  migrate(): void;
}

/** A connection that was lost, and the attempt that follows. */
export interface Retry {
  readonly error: StreamError;
  /** Counts from 1. */
  readonly attempt: number;
  /** Time until the attempt starts, in milliseconds. It starts earlier if the browser comes back online. */
  readonly retryInMs: number;
}

export interface ReconnectLoopOptions {
  /** Ends the loop and its connections. */
  readonly signal: AbortSignal;
  /** Runs one connection. Rejects when it is lost. */
  readonly connect: (attempt: Attempt) => Promise<never>;
  readonly onRetry: (retry: Retry) => void;
  /**
   * Called instead of `onRetry` while the stream is not live. Resolves when that may have changed; rejects if that cannot
   * be known, and the loop then waits as after a loss.
   */
  readonly awaitStart?: (signal: AbortSignal) => Promise<unknown>;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Connects, and connects again after each loss. Resolves when `signal` aborts. At most one attempt runs at a time.
 *
 * @throws {StreamError} the error that another attempt cannot resolve
 */
export async function reconnectLoop({
  signal,
  connect,
  onRetry,
  awaitStart = () => Promise.reject(),
  random,
  now = () => performance.now(),
}: ReconnectLoopOptions): Promise<void> {
  let admitted = false;
  let refusals = 0;
  /** The connection that migrates: it continues until the next one is connected. */
  let outgoing: AbortController | undefined;
  /** The end of the current wait, or of the last one. */
  let nextAt = 0;

  const tell = (error: StreamError, waitMs: number): void =>
    onRetry({ error, attempt: attempt + 1, retryInMs: Math.max(0, Math.round(waitMs)) });
  let attempt = 0;

  for (; ; attempt++) {
    const lifetime = new AbortController();
    let since: number | undefined;
    let waitMs: number;
    let floorMs = 0;
    let isEarly = false;
    try {
      await new Promise<void>((migrate, end) => {
        connect({
          signal: AbortSignal.any([signal, lifetime.signal]),
          get isStandby() {
            return outgoing !== undefined && outgoing !== lifetime;
          },
          connected: () => {
            admitted = true;
            since = now();
            outgoing?.abort();
            outgoing = undefined;
          },
          migrate,
        }).catch((thrown: unknown) => {
          end(thrown);
          if (outgoing !== lifetime || signal.aborted) return;
          outgoing = undefined;
          lifetime.abort();
          const error = asStreamError(thrown);
          // The new session of a broadcaster has replaced the old one.
          if (error instanceof RejectedError && error.reason === 'replaced') return;
          tell(error, nextAt - now());
        });
      });
      if (since === undefined && outgoing) lifetime.abort();
      else {
        outgoing?.abort();
        outgoing = lifetime;
      }
      attempt = 0;
      waitMs = backoffMs(0, 0, random);
    } catch (thrown) {
      lifetime.abort();
      if (signal.aborted) return;
      const error = asStreamError(thrown);
      if (since !== undefined && now() - since >= STABLE_AFTER_MS) attempt = 0;
      if (!shouldReconnect(error, refusals, admitted)) {
        outgoing?.abort();
        throw error;
      }
      refusals = isAwaitingOthers(error) ? refusals + 1 : 0;
      // After an outage the server answers again. Attempts that wait for others are counted from here.
      if (refusals === 1) attempt = 0;
      isEarly = !outgoing && isNotLive(error);
      floorMs = error.retryAfterMs;
      waitMs = backoffMs(attempt, floorMs, random);
      if (!outgoing && !isEarly) tell(error, waitMs);
    }
    if (isEarly) {
      const startedAt = now();
      const isTold = await awaitStart(signal).then(
        () => true,
        () => false,
      );
      if (signal.aborted) return;
      if (now() - startedAt >= STABLE_AFTER_MS) {
        attempt = 0;
        // The server tells a crowd one after the other.
        if (isTold) continue;
        waitMs = backoffMs(0, 0, random);
      }
    }
    nextAt = now() + waitMs;
    await pause(waitMs, Math.max(floorMs, Math.min(waitMs, SHORTEST_WAIT_MS)), signal, now);
    if (signal.aborted) return;
  }
}

/** Resolves after `ms`, on abort, or on a resume signal, but then not before `leastMs`. */
function pause(ms: number, leastMs: number, signal: AbortSignal, now: () => number): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = now();
    const over = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    let timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { signal: over.signal });
    onResume(over.signal, () => {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, leastMs - (now() - startedAt)));
    });
  });
}
