import { setTimeout as sleep } from 'node:timers/promises';

/** Come at once, and then the next. */
const AT_ONCE = 10;
/** How often they ask again, and after how long: a forwarder is too busy for a moment only. */
const ATTEMPTS = 5;
const AGAIN_AFTER_MS = 1_000;

export interface Admitted {
  /** How many are in. */
  readonly admitted: number;
  /** How often one of them was refused. */
  readonly refused: number;
}

/**
 * Has that many viewers come, a few at a time. Those who are refused ask again, several times; then the others have to
 * do.
 * @param connect has so many come, and answers how many of them were let in
 */
export async function admitViewers(
  wanted: number,
  connect: (viewers: number) => Promise<number>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Admitted> {
  let [admitted, refused] = [0, 0];
  for (let left = ATTEMPTS; admitted < wanted && left > 0;) {
    const coming = Math.min(AT_ONCE, wanted - admitted);
    const came = await connect(coming);
    admitted += came;
    refused += coming - came;
    if (came === coming) continue;
    left -= 1;
    if (left > 0) await pause(AGAIN_AFTER_MS);
  }
  return { admitted, refused };
}
