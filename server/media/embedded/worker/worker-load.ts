import { LoadMonitor } from './load-monitor.js';
import { LoopLoad } from './loop-load.js';
import { degreeOf, LOAD_SHARES, NO_OVERLOAD, nextOverload, type Overload } from './overload.js';
import type { WorkerFigures } from './worker-figures.js';
import type { EngineLogEntry } from './engine-log-entry.js';

/** With a longer event-loop delay every viewer's playback suffers, so new sessions are refused. */
const MAX_LAG_MS = 150;
/** Many joins at once are over before, and must not refuse one another. */
const REDUCED_FOR_MS = 1_000;

/** The load of a worker: whether it has room for another session, and the share of the video that viewers get. */
export class WorkerLoad {
  readonly #onLog: (entry: EngineLogEntry) => void;
  readonly #lag = new LoadMonitor();
  readonly #loop = new LoopLoad();
  #overload = NO_OVERLOAD;
  /** Since when viewers have got less than all layers. */
  #reducedSince: number | undefined;

  constructor(onLog: (entry: EngineLogEntry) => void) {
    this.#onLog = onLog;
  }

  /** Call when work begins after an idle time, and when the last work ends: the load is zero then. */
  start(now: number): void {
    this.#lag.start(now);
    this.#loop.start(now);
    this.#setOverload(NO_OVERLOAD, now);
  }

  /** Call every few tens of ms. @param delay the longest time that packets of this turn can have waited, in ms */
  addSample(delay: number, now: number): void {
    this.#lag.addSample(delay, now);
    this.#loop.addSample(delay, now);
    this.#setOverload(nextOverload(this.#overload, { delay, busy: this.#loop.busy, now }), now);
  }

  /** The part of the video that all viewers together get. */
  get share(): number {
    return LOAD_SHARES[degreeOf(this.#overload)]!;
  }

  get isReduced(): boolean {
    return this.#reducedSince !== undefined;
  }

  hasRoom(now: number): boolean {
    const isReduced = this.#reducedSince !== undefined && now - this.#reducedSince >= REDUCED_FOR_MS;
    return !isReduced && this.#lag.lag <= MAX_LAG_MS;
  }

  /** @returns `eventLoopDelayMs` since the last call */
  takeFigures(): Pick<WorkerFigures, 'eventLoopDelayMs' | 'eventLoopBusy' | 'loadDegree'> {
    const { busy: eventLoopBusy } = this.#loop;
    return {
      eventLoopDelayMs: this.#loop.takeLongestDelay(),
      eventLoopBusy,
      loadDegree: degreeOf(this.#overload),
    };
  }

  #setOverload(overload: Overload, now: number): void {
    const before = degreeOf(this.#overload);
    this.#overload = overload;
    const degree = degreeOf(overload);
    this.#reducedSince = degree === 0 ? undefined : (this.#reducedSince ?? now);
    if (degree > 0 && before === 0) {
      this.#onLog({ level: 'warn', message: 'the media engine is overloaded: viewers get lower layers' });
    } else if (degree === 0 && before > 0) {
      this.#onLog({ level: 'info', message: 'the media engine sends all layers again' });
    }
  }
}
