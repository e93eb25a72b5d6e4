/** How failed attempts are slowed. */
export interface DelayRule {
  /** As many may fail without a wait. */
  readonly free: number;
  /** The longest wait. It is never a lock. */
  readonly mostMs: number;
}

/** Of one login name, whether or not somebody has it. */
export const NAME_DELAY: DelayRule = { free: 5, mostMs: 15 * 60_000 };
/** Of one address, which several people may share. */
export const ADDRESS_DELAY: DelayRule = { free: 20, mostMs: 60_000 };
/** Failures are forgotten after so long without another. */
export const FAILURES_KEPT_MS = 24 * 3_600_000;

/** The attempts of a name or an address. Times are milliseconds since 1970. */
export interface FailedAttempts {
  readonly failures: number;
  readonly lastOn: number;
  /** Attempts before this time are refused without a look at them. */
  readonly waitsUntil: number;
}

export type AttemptVerdict =
  | { readonly name: 'wait'; readonly until: number }
  /** `next` counts the attempt as failed, until it succeeds: many at once gain nothing. */
  | { readonly name: 'try'; readonly next: FailedAttempts };

/** @returns until when the next attempt must wait. Undefined: it may be made. */
export function waitOf({ lastOn, waitsUntil }: FailedAttempts, now: number): number | undefined {
  return now - lastOn < FAILURES_KEPT_MS && waitsUntil > now ? waitsUntil : undefined;
}

/** @param before undefined: there were none */
export function judgeAttempt(before: FailedAttempts | undefined, rule: DelayRule, now: number): AttemptVerdict {
  const until = before && waitOf(before, now);
  if (until !== undefined) return { name: 'wait', until };
  const known = before && now - before.lastOn < FAILURES_KEPT_MS ? before : undefined;
  const failures = (known?.failures ?? 0) + 1;
  return { name: 'try', next: { failures, lastOn: now, waitsUntil: now + delayMs(failures, rule) } };
}

/** One second, and twice as long after each further failure. */
function delayMs(failures: number, { free, mostMs }: DelayRule): number {
  return failures < free ? 0 : Math.min(mostMs, 1_000 * 2 ** (failures - free));
}
