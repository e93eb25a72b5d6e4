import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Logger } from 'pino';
import { monotonicNow } from '../monotonic-now.js';
import { isOutage } from '../store/availability/database-outage.js';

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 5_000;

export interface DatabaseWait {
  /** How long the database may be away, in ms. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once, before the first pause. */
  readonly onWaiting: () => Promise<void>;
  readonly log: Logger;
  /** In ms. */
  readonly now?: () => number;
  /** Resolves when the time is over, or the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Starts a server, again and again while its database is away.
 * @returns undefined: the signal was aborted, and nothing is started
 * @throws the error of `start` that is no outage of the database, or of the last attempt
 */
export async function startWhenDatabaseAnswers<Started>(
  start: () => Promise<Started>,
  { waitMs, signal, onWaiting, log, now = monotonicNow, pause = abortablePause }: DatabaseWait,
): Promise<Started | undefined> {
  const begun = now();
  const logged = new Set<string>();
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      const started = await start();
      if (logged.size > 0) log.info({ waitedMs: Math.round(now() - begun) }, 'the database answers: the server starts');
      return started;
    } catch (error) {
      const leftMs = begun + waitMs - now();
      if (!isOutage(error) || leftMs <= 0) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      if (!logged.has(problem)) log.warn({ problem }, 'the database cannot be used yet: the server tries again');
      if (logged.size === 0) await onWaiting();
      logged.add(problem);
      await pause(Math.min(pauseMs, leftMs), signal);
    }
  }
  return undefined;
}

async function abortablePause(ms: number, signal: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
