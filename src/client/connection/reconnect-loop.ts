import { asStreamError, RejectedError, type StreamError } from '../errors.js';
import { backoffMs } from './backoff.js';
import { isAwaitingOthers, onResume, SHORTEST_WAIT_MS, shouldReconnect } from './reconnect-policy.js';

/** After a connection that lasted this long, the next attempts count from the first again. */
const STABLE_AFTER_MS = 5_000;

/** One connection of the loop. */
export interface Attempt {
  /** Aborts when the connection is over: release everything then. */
  readonly signal: AbortSignal;
  /** Whether the connection before still plays. Until `connected`, nothing of this one is shown. */
  readonly isStandby: boolean;
  /** Media can flow. Ends the connection before. */
  connected(): void;
  /** This connection ends soon: starts another one while this one continues. */
  migrate(): void;
}

/** A connection that was lost, and the attempt that follows. */
export interface Retry {
  readonly error: StreamError;
  /** Counts from 1. */
  readonly attempt: number;
  /** When the attempt starts, in milliseconds from now. A browser that is online again starts it earlier. */
  readonly retryInMs: number;
}

export interface ReconnectLoopOptions {
  /** Ends the loop and its connections. */
  readonly signal: AbortSignal;
  /** Runs one connection. Rejects when it is lost. */
  readonly connect: (attempt: Attempt) => Promise<never>;
  readonly onRetry: (retry: Retry) => void;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Connects, and connects again after each loss. Resolves when `signal` aborts. At most one attempt runs at a time.
 *
 * @throws {StreamError} the error after which no attempt can succeed
 */
export async function reconnectLoop({
  signal,
  connect,
  onRetry,
  random,
  now = () => performance.now(),
}: ReconnectLoopOptions): Promise<void> {
  let admitted = false;
  let refusals = 0;
  /** The connection that migrates: it continues until the next one is connected. */
  let outgoing: AbortController | undefined;
  /** When the present wait ends, or the last one ended. */
  let nextAt = 0;

  for (let attempt = 0; ; attempt++) {
    const lifetime = new AbortController();
    let since: number | undefined;
    let waitMs: number;
    let floorMs = 0;
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
          // The server ended the old session of a broadcaster because the new one replaced it.
          if (error instanceof RejectedError && error.reason === 'replaced') return;
          onRetry({ error, attempt: attempt + 1, retryInMs: Math.max(0, Math.round(nextAt - now())) });
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
      // The server answers again after an outage. The attempts to wait for the stream count from here.
      if (refusals === 1) attempt = 0;
      floorMs = error.retryAfterMs;
      waitMs = backoffMs(attempt, floorMs, random);
      if (!outgoing) onRetry({ error, attempt: attempt + 1, retryInMs: Math.round(waitMs) });
    }
    nextAt = now() + waitMs;
    await pause(waitMs, Math.max(floorMs, Math.min(waitMs, SHORTEST_WAIT_MS)), signal, now);
    if (signal.aborted) return;
  }
}

/** Resolves after `ms`, on abort, or `leastMs` after the start where a resume signal comes. */
function pause(ms: number, leastMs: number, signal: AbortSignal, now: () => number): Promise<void> {
  return new Promise((resolve) => {
    const began = now();
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
      timer = setTimeout(done, Math.max(0, leastMs - (now() - began)));
    });
  });
}
