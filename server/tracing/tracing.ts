import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contain } from '../faults/contain.js';

type Attributes = Readonly<Record<string, string | number>>;

/** Something that took time, as a trace shows it. */
export interface Span {
  rename(name: string): void;
  /** @param isFault the server is to blame */
  end(attributes: Attributes, isFault: boolean): void;
  /** Adds a child that has just ended. */
  addChild(name: string, tookMs: number): void;
}

/** Makes spans and sends them away. */
export interface SpanSource {
  /** @param traceParent the header `traceparent` of a caller whose trace continues. Undefined: a new trace begins */
  start(name: string, attributes: Attributes, traceParent: string | undefined): Span;
  close(): Promise<void>;
}

export interface TracingOptions {
  readonly spans: SpanSource;
  readonly requestIdOf: (req: IncomingMessage) => string;
  /** Only a proxy may say which trace a request belongs to. */
  readonly isFromProxy: (req: IncomingMessage) => boolean;
}

/** A request, or what Express makes of it: `route` is the pattern that matched. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** Follows each HTTP request, and what the database does for it. No span has a path, because paths can hold secrets. */
export class Tracing {
  readonly #options: TracingOptions;
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #traced = new WeakSet<IncomingMessage>();

  constructor(options: TracingOptions) {
    this.#options = options;
  }

  /** Calls `handle`, and ends the span of the request with its response. @param route if it is known beforehand */
  request(req: RoutedRequest, res: ServerResponse, handle: () => void, route?: string): void {
    if (this.#traced.has(req)) return handle();
    this.#traced.add(req);
    const { spans, requestIdOf, isFromProxy } = this.#options;
    const { method = '', headers } = req;
    const attributes = { 'http.request.method': method, 'streamgate.request_id': requestIdOf(req) };
    const { traceparent } = headers;
    const parent = typeof traceparent === 'string' && isFromProxy(req) ? traceparent : undefined;
    const span = spans.start(method, attributes, parent);
    res.once(
      'close',
      contain('http', () => {
        const matched = route ?? routeOf(req);
        if (matched !== undefined) span.rename(`${method} ${matched}`);
        const status = { 'http.response.status_code': res.statusCode };
        span.end({ ...status, ...(matched !== undefined && { 'http.route': matched }) }, res.statusCode >= 500);
      }),
    );
    this.#current.run(span, handle);
  }

  /** Something that the current request waited for has just ended. Nothing happens outside of a request. */
  step(name: string, tookMs: number): void {
    this.#current.getStore()?.addChild(name, tookMs);
  }

  close(): Promise<void> {
    return this.#options.spans.close();
  }
}

function routeOf({ route }: RoutedRequest): string | undefined {
  return typeof route?.path === 'string' ? route.path : undefined;
}
