/** The value in the middle: what a moment of a busy machine does not touch. NaN of none. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value that this many per cent do not exceed (nearest rank). NaN of none. */
export function percentile(values: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * values.length);
  return values.toSorted((a, b) => a - b)[Math.max(0, rank - 1)] ?? Number.NaN;
}
