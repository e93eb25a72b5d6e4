/** A bound far enough from the measured ratio that only a change of the code crosses it. */
export type Target = { readonly least: number } | { readonly most: number };

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
  /** Of a further comparison. Absent: it is only shown. The target of the first one is in its plan. */
  readonly target?: Target;
}

export interface BenchOptions {
  /** A small run: it shows that the benchmark works, and installs nothing. Its figures mean nothing. */
  readonly quick?: boolean;
  /** How long a benchmark of a fixed time runs. */
  readonly minutes?: number;
}
