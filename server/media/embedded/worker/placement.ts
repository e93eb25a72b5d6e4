/** A running worker, as seen by a placement policy. */
export interface WorkerLoad {
  readonly index: number;
  /** Publishers and viewers of all streams. */
  readonly sessions: number;
  /** Publishers and viewers of the stream in question. */
  readonly sessionsOfStream: number;
}

export interface PlacementRequest {
  readonly role: 'publisher' | 'viewer';
  /** The worker that has, or last had, the stream's publishers. It may not be running. */
  readonly home: number | undefined;
}

/** The workers to try, best first. Not used for a further publisher of a stream: that one must go to the home. */
export type PlacementPolicy = (request: PlacementRequest, workers: readonly WorkerLoad[]) => readonly number[];

/**
 * The cost of a worker other than the home, in sessions: each packet is written, read and cached once more, which is
 * the work of a few viewers. The first relay costs most, so that small streams stay in one worker, and large streams
 * fill a relay before they use another.
 */
const NEW_RELAY_COST = 32;
const EXISTING_RELAY_COST = 8;

/** Prefers workers that already have the stream, as long as their load is fair; else the least loaded worker. */
export function placeByLoad({ home }: PlacementRequest, workers: readonly WorkerLoad[]): number[] {
  const most = Math.max(0, ...workers.map(({ sessionsOfStream }) => sessionsOfStream));
  const hasHome = workers.some(({ index }) => index === home);
  const cost = ({ index, sessions, sessionsOfStream }: WorkerLoad) => {
    const isHome = hasHome ? index === home : sessionsOfStream > 0 && sessionsOfStream === most;
    return sessions + (isHome ? 0 : sessionsOfStream > 0 ? EXISTING_RELAY_COST : NEW_RELAY_COST);
  };
  return workers.toSorted((a, b) => cost(a) - cost(b) || a.index - b.index).map(({ index }) => index);
}
