/** A worker that runs, as it matters to whoever is to be placed. */
export interface WorkerLoad {
  readonly index: number;
  /** Publishers and viewers of all streams. */
  readonly sessions: number;
  /** Those of the stream in question. */
  readonly ofStream: number;
}

export interface PlacementRequest {
  readonly role: 'publisher' | 'viewer';
  /** The worker that the stream's publishers are or were with. It may not be running. */
  readonly home: number | undefined;
}

/** The workers to try, best first. A publisher who is not the stream's only one is not asked about: he goes home. */
export type PlacementPolicy = (wanted: PlacementRequest, workers: readonly WorkerLoad[]) => readonly number[];

/**
 * What it costs to be somewhere else than at home, in sessions: each packet has to be written, read and kept once
 * more, which is a few viewers' work. A first relay costs the most, so that small streams stay in one piece and large
 * ones use a relay well before they take another.
 */
const ANOTHER_RELAY = 32;
const KNOWN_RELAY = 8;

/** Near the stream's others while that is fair; where there is most room when it is not. */
export function placeByLoad({ home }: PlacementRequest, workers: readonly WorkerLoad[]): number[] {
  const most = Math.max(0, ...workers.map(({ ofStream }) => ofStream));
  const homeless = !workers.some(({ index }) => index === home);
  const cost = ({ index, sessions, ofStream }: WorkerLoad) => {
    const isHome = homeless ? ofStream > 0 && ofStream === most : index === home;
    return sessions + (isHome ? 0 : ofStream > 0 ? KNOWN_RELAY : ANOTHER_RELAY);
  };
  return workers.toSorted((a, b) => cost(a) - cost(b) || a.index - b.index).map(({ index }) => index);
}
