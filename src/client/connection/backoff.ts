const FIRST_CEILING_MS = 500;
const LONGEST_CEILING_MS = 10_000;

/**
 * The wait before a retry (the first one is 0), in milliseconds: a random time up to a ceiling that doubles, so that
 * clients that lost the same server do not reconnect together.
 *
 * @param floorMs the shortest wait, as the server asked
 */
export function backoffMs(attempt: number, floorMs = 0, random: () => number = Math.random): number {
  return floorMs + random() * Math.min(LONGEST_CEILING_MS, FIRST_CEILING_MS * 2 ** attempt);
}
