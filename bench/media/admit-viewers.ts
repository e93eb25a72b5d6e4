import { setTimeout as sleep } from 'node:timers/promises';

/** The number of viewers that connect at the same time. */
const AT_ONCE = 10;
/** Refused viewers try again: a forwarder is usually busy for a moment only. */
const ATTEMPTS = 5;
const RETRY_AFTER_MS = 1_000;

export interface Admitted {
  /** The number of admitted viewers. */
  readonly admitted: number;
  /** The number of refusals. */
  readonly refused: number;
}

/**
 * Connects viewers, a few at a time. Refused viewers try again several times. After that, fewer viewers than wanted are
 * admitted.
 * @param connect connects this number of viewers, and returns how many of them were admitted
 */
export async function admitViewers(
  wanted: number,
  connect: (viewers: number) => Promise<number>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Admitted> {
  let [admitted, refused] = [0, 0];
  for (let left = ATTEMPTS; admitted < wanted && left > 0;) {
    const count = Math.min(AT_ONCE, wanted - admitted);
    const connected = await connect(count);
    admitted += connected;
    refused += count - connected;
    if (connected === count) continue;
    left -= 1;
    if (left > 0) await pause(RETRY_AFTER_MS);
  }
  return { admitted, refused };
}
