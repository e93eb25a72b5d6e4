const MOST_ROUNDS = 40;

/**
 * The least CPU time of many rounds, in ms: other work of the process and the compiler only add to it.
 * @param enoughMs no more rounds are needed below this
 */
export function leastCpuMs(enoughMs: number, run: (round: number) => void): number {
  let least = Infinity;
  for (let round = 0; round < MOST_ROUNDS && least >= enoughMs; round += 1) {
    const begun = process.cpuUsage();
    run(round);
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
