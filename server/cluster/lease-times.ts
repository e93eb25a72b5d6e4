/**
 * How a node keeps its streams. Each heartbeat renews all its leases for `EXPIRES_AFTER_MS` by the clock of the database.
 * A node without an answer stops its own publishers after `STOPS_AFTER_MS`, counted on its own monotonic clock from the
 * moment before it sent the last heartbeat that was answered. So it stops at least three seconds before another node may
 * claim its streams, and no two clocks are compared. See docs/decisions/0033.
 */
export const HEARTBEAT_MS = 2_000;
export const STOPS_AFTER_MS = 5_000;
export const EXPIRES_AFTER_MS = 8_000;

/** How soon a failed heartbeat is repeated. */
export const RETRY_MS = 250;

/** A node whose heartbeat is older than this is removed with its leases. */
export const REMOVED_AFTER_MS = 60_000;

/** A lost node that does not come back within this time is not waited for any more. */
export const RETURNS_WITHIN_MS = 30 * 24 * 3_600_000;

/** How long after its end a declared end is read. */
export { END_TOLD_FOR_MS } from '../streams/declared-ends.js';
