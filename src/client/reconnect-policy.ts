import { RejectedError, StreamError } from './errors.js';

const FIRST_CEILING_MS = 500;
const LONGEST_CEILING_MS = 10_000;
/** Waking up shortens a wait, down to this: whatever flickers, no viewer asks more often. */
export const SHORTEST_STEP_MS = 1_000;
/** About half a minute: as long as a server needs to notice that a broadcaster's transport is dead. */
const PASSING_REFUSALS = 10;

/**
 * Final for a newcomer, but passing for who was in before: after a break of the server's own, viewers come back
 * before their broadcaster, and a broadcaster before the server has noticed that its old transport is dead.
 */
const PASSING_REASONS: ReadonlySet<string> = new Set(['stream_not_live', 'stream_in_use']);

/**
 * @param refusals how many in a row, before this one, were refused and taken for passing
 * @param admitted whether a try succeeded earlier
 */
export function shouldReconnect(error: unknown, refusals: number, admitted: boolean): boolean {
  if (!(error instanceof StreamError)) return false;
  if (error.retryable) return true;
  return admitted && refusals < PASSING_REFUSALS && error instanceof RejectedError && PASSING_REASONS.has(error.reason);
}

/**
 * How long to wait before try number `attempt` (the first retry is 0): anywhere from nothing to a ceiling that
 * doubles, so that a crowd which lost the same server comes back spread out. `floorMs` is what the service asked for.
 */
export function backoffMs(attempt: number, floorMs = 0, random: () => number = Math.random): number {
  return floorMs + random() * Math.min(LONGEST_CEILING_MS, FIRST_CEILING_MS * 2 ** attempt);
}
