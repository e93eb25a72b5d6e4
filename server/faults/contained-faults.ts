import { followFaults, type Fault, type FaultPart } from './fault.js';

/** The faults of one part since the server started. */
export interface FaultCount {
  readonly part: FaultPart;
  readonly count: number;
  /** Of the last one, in milliseconds since 1970. */
  readonly last: number;
}

export interface ContainedFaultsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** What one part logs within a minute, so that a flood of bad messages is not one of lines. All are counted. */
export const LINES_A_MINUTE = 10;
const MINUTE_MS = 60_000;

/** What is not a fault of ours. */
const OF_OTHERS: ReadonlySet<FaultPart> = new Set(['cluster_message']);

/** What has an entry of its own in the log. */
const LOGGED_ALREADY: ReadonlySet<FaultPart> = new Set(['stored_row']);

interface Tally {
  count: number;
  last: number;
  minute: number;
  lines: number;
  /** Not logged since the last line. */
  omitted: number;
}

/** Logs and counts the faults of this process that were contained. */
export class ContainedFaults {
  readonly #options: ContainedFaultsOptions;
  readonly #tallies = new Map<FaultPart, Tally>();
  readonly #unfollow: () => void;

  constructor(options: ContainedFaultsOptions) {
    this.#options = options;
    this.#unfollow = followFaults((fault) => this.#add(fault));
  }

  /** The parts that had faults, those with the newest first. */
  get counts(): readonly FaultCount[] {
    return [...this.#tallies]
      .map(([part, { count, last }]) => ({ part, count, last }))
      .toSorted((one, other) => other.last - one.last);
  }

  /** Of every part. */
  countOf(part: FaultPart): number {
    return this.#tallies.get(part)?.count ?? 0;
  }

  close(): void {
    this.#unfollow();
  }

  #add({ part, error, of: { session, stream }, count }: Fault): void {
    const { now, log } = this.#options;
    const time = now();
    const minute = Math.floor(time / MINUTE_MS);
    const tally = this.#tallies.get(part) ?? { count: 0, last: time, minute, lines: 0, omitted: 0 };
    this.#tallies.set(part, tally);
    tally.count += count;
    tally.last = time;
    if (LOGGED_ALREADY.has(part)) return;
    if (tally.minute !== minute) Object.assign(tally, { minute, lines: 0 });
    if (tally.lines >= LINES_A_MINUTE) {
      tally.omitted += count;
      return;
    }
    const omitted = tally.omitted + count - 1 || undefined;
    Object.assign(tally, { lines: tally.lines + 1, omitted: 0 });
    if (OF_OTHERS.has(part)) log.warn({ part, err: error, omitted }, 'a message was ignored');
    else log.error({ part, session, stream, err: error, omitted }, 'a fault of the server was contained');
  }
}
