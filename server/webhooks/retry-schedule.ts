const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A delivery is given up when the next call would be later than this after its event. */
export const GIVEN_UP_AFTER_MS = 24 * HOUR;

/** The pause after each failed call. Those after more calls are as the last one. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
];
/** Deliveries that failed together are not tried again together: each pause is up to so much shorter or longer. */
const JITTER = 0.2;

export interface FailedDelivery {
  /** Milliseconds since 1970. */
  readonly createdOn: number;
  /** The calls that were made, from 1. */
  readonly attempts: number;
}

/**
 * When a delivery is tried again. Undefined: never.
 * @param now milliseconds since 1970
 * @param random from 0 to 1
 */
export function nextAttemptOn(
  { createdOn, attempts }: FailedDelivery,
  now: number,
  random: number,
): number | undefined {
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? PAUSES_MS[0]!;
  const on = now + Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return on - createdOn > GIVEN_UP_AFTER_MS ? undefined : on;
}
