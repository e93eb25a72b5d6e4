const FIRST_CEILING_MS = 500;
const LONGEST_CEILING_MS = 10_000;

/**
 * How long to wait before try number `attempt` (the first retry is 0): anywhere from nothing to a ceiling that
 * doubles, so that a crowd which lost the same server comes back spread out. `floorMs` is what the service asked for.
 */
export function backoffMs(attempt: number, floorMs = 0, random: () => number = Math.random): number {
  return floorMs + random() * Math.min(LONGEST_CEILING_MS, FIRST_CEILING_MS * 2 ** attempt);
}
