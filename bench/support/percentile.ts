/** The 50th percentile. A busy moment of the machine affects it little. NaN for an empty list. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value that `percent` per cent of the values do not exceed (nearest rank). NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * values.length);
  return values.toSorted((a, b) => a - b)[Math.max(0, rank - 1)] ?? Number.NaN;
}
