import type { TokenEventStore } from './webhook-store.js';

const DAY_MS = 24 * 3_600_000;
/** How long before its expiry a token is announced. */
export const ANNOUNCED_BEFORE_MS = DAY_MS;
/** A token that lives for a shorter time is made to expire soon: nobody needs to hear of it. */
export const SHORTEST_LIFE_MS = 2 * DAY_MS;
const MOST_AT_ONCE = 200;

export interface ExpiryNoticesOptions {
  readonly store: Pick<TokenEventStore, 'announceExpiries'>;
  readonly onWritten: () => void;
}

/** Announces the tokens that expire within a day, on all servers together once. Stops when `signal` is aborted. */
export async function announceExpiries(
  { store, onWritten }: ExpiryNoticesOptions,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const window = { now, by: now + ANNOUNCED_BEFORE_MS, shortestLife: SHORTEST_LIFE_MS, most: MOST_AT_ONCE };
  for (let count = MOST_AT_ONCE; count === MOST_AT_ONCE && !signal.aborted;) {
    count = await store.announceExpiries(window);
    if (count > 0) onWritten();
  }
}
