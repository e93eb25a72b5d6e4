const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export interface CountdownParts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** Rounded up: a countdown reaches zero at the start, and not a second before. */
export function countdownParts(remainingMs: number): CountdownParts {
  const all = Math.max(0, Math.ceil(remainingMs / SECOND_MS));
  return {
    days: Math.floor(all / 86_400),
    hours: Math.floor(all / 3_600) % 24,
    minutes: Math.floor(all / 60) % 60,
    seconds: all % 60,
  };
}

/** What screen readers are told of a countdown. Each second would be too much. */
export type Landmark = 'tenMinutes' | 'oneMinute' | 'start';

const LANDMARKS: readonly (readonly [Landmark, remainingMs: number])[] = [
  ['start', 0],
  ['oneMinute', MINUTE_MS],
  ['tenMinutes', 10 * MINUTE_MS],
];

/** The last landmark between two moments. Undefined: none. @param before what remained at the first one */
export function landmarkPassed(before: number, remainingMs: number): Landmark | undefined {
  return LANDMARKS.find(([, at]) => before > at && remainingMs <= at)?.[0];
}
