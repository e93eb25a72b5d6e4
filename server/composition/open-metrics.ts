import type { Config } from '../config/config.js';
import type { ReadableMetrics } from '../http/metrics-routes.js';
import type { MediaEngine } from '../media/media-engine.js';
import { admissionMetrics, type Decisions } from '../metrics/admission-metrics.js';
import { mediaMetrics } from '../metrics/media-metrics.js';
import { Metrics } from '../metrics/metrics.js';
import { sessionMetrics } from '../metrics/session-metrics.js';
import type { Sessions } from '../sessions/sessions.js';

export interface OpenMetricsOptions {
  readonly engine: MediaEngine;
  readonly decisions: Decisions;
  readonly sessions: Sessions;
}

/** Undefined: nobody may read metrics, and nothing is counted. */
export function openMetrics(
  { metricsToken: token }: Config,
  { engine, decisions, sessions }: OpenMetricsOptions,
): ReadableMetrics | undefined {
  if (token === undefined) return undefined;
  const metrics = new Metrics([mediaMetrics(engine), admissionMetrics(decisions), sessionMetrics(sessions)]);
  return { token, contentType: metrics.contentType, text: () => metrics.text() };
}
