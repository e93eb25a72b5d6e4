/** The slope of the straight line that fits the points best (least squares). NaN for fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const products = points.map(([x, y]) => (x - meanX) * (y - meanY));
  const squares = points.map(([x]) => (x - meanX) ** 2);
  return mean(products) / mean(squares);
}
