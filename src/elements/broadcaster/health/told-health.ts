import type { Health, Verdict } from './health.js';

/** A verdict is told after it was the same for this many seconds: one second says little. */
const STABLE_AFTER_S = 4;
/** Browsers begin with a small picture, and enlarge it while they learn what the network carries. Measured: up to 18 s. */
const RAMP_UP_S = 25;

/** What broadcasters are told of the health, and why. */
export interface ToldHealth {
  readonly verdict: Verdict;
  /** The height of the picture that viewers see, while the verdict is `slow`. */
  readonly height: number | undefined;
  /** The verdict of the last second, and for how many seconds it is the same. */
  readonly last: Verdict;
  readonly seconds: number;
  /** Seconds since the connection began. */
  readonly age: number;
  /** Whether the picture had its whole size on this connection. */
  readonly wasFull: boolean;
}

export const NOTHING_TOLD: ToldHealth = {
  verdict: 'good',
  height: undefined,
  last: 'good',
  seconds: 0,
  age: 0,
  wasFull: false,
};

/**
 * After one more second.
 * @param isServerOverloaded it answers the device late, which then sends less: that is no slow upload
 */
export function afterSecond(
  before: ToldHealth,
  { verdict, height, isFull, bitrate }: Health,
  isServerOverloaded = false,
): ToldHealth {
  const measured = isServerOverloaded && verdict !== 'busy' ? 'server' : verdict;
  // Without a bitrate, the connection is another one.
  const age = bitrate === undefined ? 0 : before.age + 1;
  const wasFull = isFull || (age > 0 && before.wasFull);
  const last = measured === 'slow' && !wasFull && age < RAMP_UP_S ? 'good' : measured;
  const seconds = last === before.last ? before.seconds + 1 : 1;
  const isMended = before.verdict === 'slow' && isFull;
  const told = seconds >= STABLE_AFTER_S ? last : isMended ? 'good' : before.verdict;
  const seen = last === 'slow' ? height : before.height;
  return { verdict: told, height: told === 'slow' ? seen : undefined, last, seconds, age, wasFull };
}
