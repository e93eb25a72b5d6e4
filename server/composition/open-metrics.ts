import type { Config } from '../config/config.js';
import type { ReadableMetrics } from '../http/metrics-routes.js';
import { Metrics, type MetricsPart } from '../metrics/metrics.js';

/** Undefined: nobody may read metrics, and nothing is counted. */
export function openMetrics(
  { metricsToken: token }: Pick<Config, 'metricsToken'>,
  parts: readonly MetricsPart[],
): ReadableMetrics | undefined {
  if (token === undefined) return undefined;
  const metrics = new Metrics(parts);
  return { token, contentType: metrics.contentType, text: () => metrics.text() };
}
