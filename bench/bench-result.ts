/** The result of a benchmark: a ratio against something named, measured in the same run, and the figures behind it. */
export interface BenchResult extends Comparison {
  readonly name: string;
  /** Further comparisons of the same run. */
  readonly also?: readonly Comparison[];
  /** By name. The name contains the unit, as in `cpuMicrosPerPacket`. */
  readonly figures: Readonly<Record<string, number>>;
}

export interface Comparison {
  /** Our value divided by that of `against`. */
  readonly ratio: number;
  readonly against: string;
}

export interface BenchOptions {
  /** A small run: it shows that the benchmark works, and installs nothing. Its figures mean nothing. */
  readonly quick?: boolean;
}
