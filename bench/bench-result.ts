/** What a benchmark says: a ratio against something named, measured in the same run, and the figures behind it. */
export interface BenchResult {
  readonly name: string;
  /** Ours divided by `against`. */
  readonly ratio: number;
  readonly against: string;
  /** By name with the unit in it, as `cpuMicrosPerPacket`. */
  readonly figures: Readonly<Record<string, number>>;
}
