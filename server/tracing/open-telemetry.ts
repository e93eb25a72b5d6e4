import type { Span, SpanSource } from './tracing.js';

/**
 * What is used of OpenTelemetry for JavaScript. Its packages have 20 MB and most servers send no traces, so that they are
 * no dependencies: operators install them, as docs/operating/monitoring.md says.
 */
interface OpenTelemetry {
  readonly ROOT_CONTEXT: unknown;
  readonly trace: {
    setSpan(context: unknown, span: OtelSpan): unknown;
    setSpanContext(context: unknown, parent: RemoteParent): unknown;
  };
  readonly TracerProvider: new (options: object) => {
    getTracer(name: string): { startSpan(name: string, options: object, context: unknown): OtelSpan };
    shutdown(): Promise<void>;
  };
  readonly BatchSpanProcessor: new (options: object) => object;
  readonly ParentBasedSampler: new (options: object) => object;
  readonly TraceIdRatioBasedSampler: new (ratio: number) => object;
  readonly OTLPTraceExporter: new (options: object) => object;
  readonly resourceFromAttributes: (attributes: object) => object;
}

interface OtelSpan {
  updateName(name: string): unknown;
  setAttributes(attributes: object): unknown;
  setStatus(status: object): unknown;
  end(time?: number): void;
}

interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote: true;
}

/** The packages, with the names that are used of each. The compiler does not look for them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@opentelemetry/api': ['ROOT_CONTEXT', 'trace'],
  '@opentelemetry/sdk-trace': [
    'TracerProvider',
    'BatchSpanProcessor',
    'ParentBasedSampler',
    'TraceIdRatioBasedSampler',
  ],
  '@opentelemetry/resources': ['resourceFromAttributes'],
  '@opentelemetry/exporter-trace-otlp-http': ['OTLPTraceExporter'],
};

/** Those that were tested. `peerDependencies` of the package has the same. */
export const VERSIONS: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '^1.10.0',
  '@opentelemetry/sdk-trace': '^3.1.0',
  '@opentelemetry/resources': '^3.1.0',
  '@opentelemetry/exporter-trace-otlp-http': '^0.301.0',
};

/** The packages cannot be used. The message says what to install. */
export class OpenTelemetryError extends Error {
  override name = 'OpenTelemetryError';

  constructor(reason: string, options?: ErrorOptions) {
    const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
    super(`${reason}: npm install ${packages.join(' ')}`, options);
  }
}

export interface OpenTelemetryOptions {
  /** Of the collector: `/v1/traces` is added. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** The part of the traces that is sent, 0 to 1. */
  readonly ratio: number;
  readonly load?: (name: string) => Promise<unknown>;
}

/** Sends spans over OTLP/HTTP. Its exporter reads further `OTEL_EXPORTER_OTLP_…` variables. @throws {OpenTelemetryError} */
export async function openTelemetrySpans(options: OpenTelemetryOptions): Promise<SpanSource> {
  const { endpoint, serviceName, ratio, load = (name: string) => import(name) } = options;
  const otel = await loadPackages(load);
  const exporter = new otel.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new otel.TracerProvider({
    resource: otel.resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new otel.ParentBasedSampler({ root: new otel.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new otel.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('streamgate');
  return {
    start(name, attributes, traceParent) {
      const parent = traceParent === undefined ? undefined : remoteParent(traceParent);
      const context = parent ? otel.trace.setSpanContext(otel.ROOT_CONTEXT, parent) : otel.ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SERVER, attributes }, context);
      return adapted(span, (child, tookMs) => {
        const ended = Date.now();
        const below = otel.trace.setSpan(otel.ROOT_CONTEXT, span);
        tracer.startSpan(child, { kind: CLIENT, startTime: ended - tookMs }, below).end(ended);
      });
    },
    // The collector may not answer any more. A server that stops does not wait for it, and says so to nobody.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** `SpanKind` and `SpanStatusCode` of the API. */
const SERVER = 1;
const CLIENT = 2;
const ERROR = 2;

function adapted(span: OtelSpan, addChild: Span['addChild']): Span {
  return {
    rename: (name) => void span.updateName(name),
    addChild,
    end(attributes, isFault) {
      span.setAttributes(attributes);
      if (isFault) span.setStatus({ code: ERROR });
      span.end();
    },
  };
}

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** Parses the header `traceparent` (W3C Trace Context). Undefined: it is not valid, and a new trace begins. */
export function remoteParent(header: string): RemoteParent | undefined {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId) || header.startsWith('ff')) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** Another version can have other names, which is found here and not while a request is served. */
async function loadPackages(load: (name: string) => Promise<unknown>): Promise<OpenTelemetry> {
  const found: Record<string, unknown> = {};
  for (const [name, exported] of Object.entries(PACKAGES)) {
    const loaded = (await load(name).catch((cause: unknown) => {
      throw new OpenTelemetryError(`the package ${name} cannot be loaded`, { cause });
    })) as Record<string, unknown>;
    for (const part of exported) {
      if (loaded[part] === undefined) throw new OpenTelemetryError(`this version of ${name} has no ${part}`);
      found[part] = loaded[part];
    }
  }
  return found as object as OpenTelemetry;
}
