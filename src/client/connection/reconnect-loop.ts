import { asStreamError, RejectedError, type StreamError } from '../errors.js';
import { backoffMs } from './backoff.js';
import { isAwaitingOthers, SHORTEST_WAIT_MS, shouldReconnect } from './reconnect-policy.js';
import { onResume } from './resume-signals.js';

/** A connection that held this long was a good one: the next break starts counting afresh. */
const SETTLED_AFTER_MS = 5_000;

/** One connection, as it sees those before and after it. */
export interface Attempt {
  /** Aborts when the connection is over: release everything then. */
  readonly signal: AbortSignal;
  /** Whether another still holds the picture: nothing is to be seen of this one yet. */
  readonly isStandby: boolean;
  /** It stands. The one that it takes over from, if any, ends here. */
  connected(): void;
  /** It will end soon: another is made while it goes on. */
  migrate(): void;
}

/** A connection that was lost, and that is tried again. */
export interface Retry {
  readonly error: StreamError;
  /** Counts from 1. */
  readonly attempt: number;
  /** When the next try begins, in milliseconds from now; sooner where the machine comes back on a network. */
  readonly retryInMs: number;
}

export interface ReconnectLoopOptions {
  /** Ends everything, in whatever state it is. */
  readonly signal: AbortSignal;
  /** One connection from beginning to end: rejects when it is lost. */
  readonly connect: (attempt: Attempt) => Promise<never>;
  readonly onRetry: (broken: Retry) => void;
  readonly random?: () => number;
  readonly now?: () => number;
}

/**
 * Connects, and connects again, until `signal` aborts (resolves) or trying again is pointless. There is never more
 * than one attempt at a time, whatever wakes it.
 *
 * @throws {StreamError} the one that made it pointless
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
  /** Told to end soon, and going on until the next one stands. */
  let outgoing: AbortController | undefined;
  /** When the pause ends that there is, or was last. */
  let nextAt = 0;

  for (let attempt = 0; ; attempt++) {
    const life = new AbortController();
    let since: number | undefined;
    let waitMs: number;
    let floorMs = 0;
    try {
      await new Promise<void>((migrate, end) => {
        connect({
          signal: AbortSignal.any([signal, life.signal]),
          get isStandby() {
            return outgoing !== undefined && outgoing !== life;
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
          if (outgoing !== life || signal.aborted) return;
          outgoing = undefined;
          life.abort();
          const error = asStreamError(thrown);
          // The server ends a broadcaster's old session when the new one takes its place: that is no break.
          if (error instanceof RejectedError && error.reason === 'replaced') return;
          onRetry({ error, attempt: attempt + 1, retryInMs: Math.max(0, Math.round(nextAt - now())) });
        });
      });
      if (since === undefined && outgoing) life.abort();
      else {
        outgoing?.abort();
        outgoing = life;
      }
      attempt = 0;
      waitMs = backoffMs(0, 0, random);
    } catch (thrown) {
      life.abort();
      if (signal.aborted) return;
      const error = asStreamError(thrown);
      if (since !== undefined && now() - since >= SETTLED_AFTER_MS) attempt = 0;
      if (!shouldReconnect(error, refusals, admitted)) {
        outgoing?.abort();
        throw error;
      }
      refusals = isAwaitingOthers(error) ? refusals + 1 : 0;
      // After an outage of any length the service answers again: only now does the wait for the stream begin.
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

/** Over after `ms` or on abort; after no more than `leastMs` when the machine is back. */
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
