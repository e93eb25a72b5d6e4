import { SimulatedPath, type PathConditions } from '../media/simulated-path.js';

/** Something that sends packets through the bottleneck. Times are in ms. */
export interface Flow {
  /** Called every millisecond. */
  step(now: number, network: Bottleneck): void;
}

/** The link that all flows share. */
export interface Bottleneck {
  readonly conditions: PathConditions;
  /** When a packet that is sent now arrives. NaN: it is lost. */
  send(bytes: number, now: number): number;
  /** How long a packet that is sent now waits behind others. */
  queue(now: number): number;
}

export interface Simulated {
  readonly flow: Flow;
  /** In seconds. Default: from the start. */
  readonly from?: number;
  /** In seconds. Default: to the end. */
  readonly until?: number;
}

export interface SimulationOptions {
  readonly seconds: number;
  readonly path?: Partial<PathConditions>;
  /** Changes of the path, by second. */
  readonly changes?: Readonly<Record<number, Partial<PathConditions>>>;
  readonly seed?: number;
}

/** The queue of the bottleneck, every 100 ms. */
export interface QueueSample {
  readonly at: number;
  /** In ms. */
  readonly queue: number;
}

/**
 * Runs flows through one bottleneck in virtual time: a queue that drops what does not fit, propagation delay, jitter
 * and random loss. Each run with the same input has the same result.
 */
export function runSimulation(flows: readonly Simulated[], options: SimulationOptions): QueueSample[] {
  const { seconds, path = {}, changes = {}, seed } = options;
  const bottleneck = new SimulatedPath(path, seed);
  const queue: QueueSample[] = [];
  for (let now = 0; now < seconds * 1_000; now++) {
    if (now % 1_000 === 0) Object.assign(bottleneck.conditions, changes[now / 1_000]);
    for (const { flow, from = 0, until = Infinity } of flows) {
      if (now >= from * 1_000 && now < until * 1_000) flow.step(now, bottleneck);
    }
    if (now % 100 === 0) queue.push({ at: now, queue: bottleneck.queue(now) });
  }
  return queue;
}
