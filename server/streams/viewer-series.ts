/** A point keeps its value until the time of the next point. */
export interface ViewerPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly viewers: number;
}

/** The last hour has at most one point per ten seconds, and the 23 hours before it one per five minutes. */
const FINE_MS = 10_000;
const FINE_FOR_MS = 3_600_000;
const COARSE_MS = 300_000;
const KEPT_MS = 86_400_000;

/** How many viewers a stream had over time. It holds a bounded number of points, and none while nothing changes. */
export class ViewerSeries {
  #points: ViewerPoint[] = [];

  /** In order of time. The first one is the newest that is older than a day, or the beginning. */
  get points(): readonly ViewerPoint[] {
    return this.#points;
  }

  /** A clock that was set back counts as no time. */
  record(now: number, viewers: number): void {
    const last = this.#points.at(-1);
    if (last?.viewers === viewers) return;
    const time = Math.max(now, last?.time ?? now);
    const points = this.#points.filter((_, index, all) => {
      const next = all[index + 1];
      return !next || !isReplacedBy(next.time, all[index]!.time, time, index === 0);
    });
    // Within ten seconds the newest number replaces the one before. The beginning stays.
    if (last && points.length > 1 && slot(last.time, FINE_MS) === slot(time, FINE_MS)) points.pop();
    if (points.at(-1)?.viewers !== viewers) points.push({ time, viewers });
    this.#points = points;
  }
}

/** Whether the point at `time` is left out, because the next one stands for both. */
function isReplacedBy(next: number, time: number, now: number, isFirst: boolean): boolean {
  if (next <= now - KEPT_MS) return true;
  return !isFirst && next <= now - FINE_FOR_MS && slot(next, COARSE_MS) === slot(time, COARSE_MS);
}

function slot(time: number, length: number): number {
  return Math.floor(time / length);
}
