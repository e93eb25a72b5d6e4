/** What a benchmark says: a ratio against something named, measured in the same run, and the figures behind it. */
export interface BenchResult extends Comparison {
  readonly name: string;
  /** Further ones of the same run. */
  readonly also?: readonly Comparison[];
  /** By name with the unit in it, as `cpuMicrosPerPacket`. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface Comparison {
  /** Ours divided by `against`. */
  readonly ratio: number;
  readonly against: string;
}

export interface BenchOptions {
  /** A small run, which shows that the benchmark works, and installs nothing. Its figures say nothing. */
  readonly quick?: boolean;
}
