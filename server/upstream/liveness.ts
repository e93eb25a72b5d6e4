import type { LiveState } from './live-state.js';

/** A publisher whose media has not arrived by then is taken for gone. */
const STARTS_WITHIN_MS = 30_000;
/** So many answers in a row must say that a live stream is not live: it may be listed late after a reconnect. */
const MISSES = 2;

/** What is known of the media of a stream at its upstream. */
export type Liveness =
  | { readonly name: 'starting'; readonly since: number }
  | { readonly name: 'live'; readonly misses: number }
  /** The media ended, or never came. */
  | { readonly name: 'over' };

/** @param now of the clock of `since`, in milliseconds */
export function nextLiveness(before: Liveness, said: LiveState, now: number): Liveness {
  if (before.name === 'over') return before;
  if (said === 'live') return before.name === 'live' && before.misses === 0 ? before : { name: 'live', misses: 0 };
  if (before.name === 'starting') return now - before.since < STARTS_WITHIN_MS ? before : { name: 'over' };
  if (said === 'unknown') return before;
  const misses = before.misses + 1;
  return misses < MISSES ? { name: 'live', misses } : { name: 'over' };
}

/** How long to wait before the upstream is asked again. */
export function nextPollMs(liveness: Liveness, now: number): number {
  if (liveness.name !== 'starting') return 2_000;
  return now - liveness.since < 5_000 ? 250 : 1_000;
}
