import type { IncomingMessage } from 'node:http';
import { ConfigError, configFaultText } from '../config/config-error.js';
import type { Config } from '../config/config.js';
import { isFromProxy } from '../http/request/client-address.js';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import { OpenTelemetryError, openTelemetrySpans } from '../tracing/open-telemetry.js';
import { Tracing } from '../tracing/tracing.js';
import type { OpenedResources } from './opened-resources.js';

/**
 * Traces of requests, with the steps of the database. Undefined: nobody wants them, and nothing is loaded.
 * @throws {ConfigError} the packages of OpenTelemetry are not installed
 */
export async function openTracing(
  opened: OpenedResources,
  { otlpEndpoint, otelServiceName, traceRatio, trustedProxies }: Config,
  {
    monitor,
    requestIdOf,
  }: { readonly monitor: DatabaseMonitor; readonly requestIdOf: (req: IncomingMessage) => string },
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const options = { endpoint: otlpEndpoint, serviceName: otelServiceName, ratio: traceRatio };
  const spans = await openTelemetrySpans(options).catch((error: unknown) => {
    if (!(error instanceof OpenTelemetryError)) throw error;
    throw new ConfigError([configFaultText('OTEL_EXPORTER_OTLP_ENDPOINT', error.message, otlpEndpoint)]);
  });
  const tracing = new Tracing({ spans, requestIdOf, isFromProxy: isFromProxy(trustedProxies) });
  opened.add(() => tracing.close());
  monitor.on('took', (step, ms) => tracing.step(`database ${step}`, ms));
  return tracing;
}
