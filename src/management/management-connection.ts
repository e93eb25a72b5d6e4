import * as z from 'zod/mini';
import { checkEndpoint } from '../wire/endpoint.js';
import { failEnvelope } from '../wire/envelope.js';
import type { ErrorCode } from './error-code.js';
import { ManagementError } from './management-error.js';

/** The answer of the server after an internal error. */
const errorEnvelope = z.object({
  status: z.literal('error'),
  message: z.string(),
  code: z.optional(z.unknown()),
});

const CSV = 'text/csv';

const fieldErrors = z.record(z.string(), z.array(z.string()));

export interface ManagementOptions {
  /** The server's origin, such as `https://live.example.com`. */
  readonly endpoint: string;
  /** The API secret of the account. Absent: the browser's dashboard cookie is used, on the server's own pages. */
  readonly secret?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface ManagementRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
  /** A table as the body (RFC 4180), in place of `body`. */
  readonly csvBody?: string | undefined;
  /** The server answers a repeated request with the same key with its first answer. */
  readonly idempotencyKey?: string | undefined;
  /** The server refuses the request if the record has another ETag. */
  readonly ifMatch?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** The type of the answer. Absent: JSON. */
  readonly accept?: string | undefined;
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends the calls of one account to one server. It never repeats a call. */
export class ManagementConnection {
  readonly #endpoint: string;
  readonly #secret: string | undefined;
  readonly #fetch: typeof fetch;

  /** @throws {TypeError} the endpoint is not an http or https URL */
  constructor({ endpoint, secret, ...options }: ManagementOptions) {
    checkEndpoint(endpoint);
    const send = options.fetch ?? globalThis.fetch;
    this.#endpoint = endpoint.replace(/\/+$/, '');
    // It may have been pasted with white space around it.
    this.#secret = secret?.trim();
    // `fetch` of a browser throws when it is called as a method of another object.
    this.#fetch = (input, init) => send(input, init);
  }

  /**
   * Sends a request and validates the answer with `schema`.
   *
   * @throws {ManagementError} the server refused, there was no answer, or the endpoint is another service
   */
  async call<Schema extends z.ZodMiniType>(schema: Schema, request: ManagementRequest): Promise<z.output<Schema>> {
    return (await this.callTagged(schema, request)).answer;
  }

  /** As `call`, with the ETag of the answer. */
  async callTagged<Schema extends z.ZodMiniType>(
    schema: Schema,
    request: ManagementRequest,
  ): Promise<{ readonly answer: z.output<Schema>; readonly etag: string | undefined }> {
    const response = await this.#send(request);
    const answer = await readJson(response, request.signal);
    if (!response.ok) throw refusal(response.status, answer);
    const result = schema.safeParse(answer);
    if (result.success) return { answer: result.data, etag: response.headers.get('etag') ?? undefined };
    throw malformed(response.status, result.error);
  }

  /**
   * Reads a list as CSV (RFC 4180) with a header row: all its pages, as one table. With `csvBody`, what a POST answers.
   *
   * @throws {ManagementError} as `call`
   */
  async csv({
    path,
    query,
    csvBody,
    signal,
  }: Pick<ManagementRequest, 'path' | 'query' | 'csvBody' | 'signal'>): Promise<string> {
    const method = csvBody === undefined ? 'GET' : 'POST';
    const parts: string[] = [];
    let page: Pick<ManagementRequest, 'path' | 'query'> | undefined = { path, query };
    while (page) {
      const response = await this.#send({ method, ...page, csvBody, accept: CSV, signal });
      if (!response.ok) throw refusal(response.status, await readJson(response, signal));
      if (!response.headers.get('content-type')?.startsWith(CSV)) throw malformed(response.status, undefined);
      const text = await unlessBroken(response.text(), signal);
      // Each page repeats the header row, in which no name is quoted.
      parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
      page = nextPage(response.headers.get('link'));
    }
    return parts.join('');
  }

  /**
   * Reads a file. The Blob has the type that the server names.
   *
   * @throws {ManagementError} as `call`
   */
  async file({ path, query, signal }: Pick<ManagementRequest, 'path' | 'query' | 'signal'>): Promise<Blob> {
    const response = await this.#send({ method: 'GET', path, query, signal });
    if (!response.ok) throw refusal(response.status, await readJson(response, signal));
    const type = response.headers.get('content-type') ?? '';
    if (!/^(?:image|video)\//.test(type)) throw malformed(response.status, undefined);
    const bytes = await unlessBroken(response.arrayBuffer(), signal);
    return new Blob([bytes], { type });
  }

  async #send({
    method,
    path,
    body,
    csvBody,
    accept,
    idempotencyKey,
    ifMatch,
    query = {},
    signal,
  }: ManagementRequest): Promise<Response> {
    const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
    try {
      return await this.#fetch(`${this.#endpoint}${path}${search}`, {
        method,
        headers: {
          ...(this.#secret !== undefined && { authorization: `Bearer ${this.#secret}` }),
          ...(accept !== undefined && { accept }),
          ...(body && { 'content-type': 'application/json' }),
          ...(csvBody !== undefined && { 'content-type': CSV }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(csvBody !== undefined && { body: csvBody }),
        credentials: this.#secret === undefined ? 'same-origin' : 'omit',
        cache: 'no-store',
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ManagementError('the server cannot be reached', { code: 'unreachable', status: 0, cause });
    }
  }
}

/** The next page of a list, which the header Link names. Undefined: there is none. */
function nextPage(link: string | null): { readonly path: string } | undefined {
  const path = /^<(\/[^/>][^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
  return path === undefined ? undefined : { path };
}

async function unlessBroken<Body>(body: Promise<Body>, signal: AbortSignal | undefined): Promise<Body> {
  try {
    return await body;
  } catch (cause) {
    signal?.throwIfAborted();
    throw brokenOff(cause);
  }
}

async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    // A complete answer that is not JSON comes from another service. In WebKit, this error is a DOMException.
    if (cause instanceof Error && cause.name === 'SyntaxError') throw malformed(response.status, cause);
    throw brokenOff(cause);
  }
}

function brokenOff(cause: unknown): ManagementError {
  return new ManagementError('the answer of the server broke off', { code: 'unreachable', status: 0, cause });
}

function refusal(status: number, answer: unknown): ManagementError {
  const fail = failEnvelope.safeParse(answer);
  if (fail.success) {
    const { message, code = 'refused', ...rest } = fail.data.data;
    const errors = 'errors' in rest ? fieldErrors.safeParse(rest.errors).data : undefined;
    return new ManagementError(message, { code: code as ErrorCode, status, errors });
  }
  const error = errorEnvelope.safeParse(answer);
  if (!error.success) return malformed(status, error.error);
  const { message, code } = error.data;
  return new ManagementError(message, { code: typeof code === 'string' ? (code as ErrorCode) : 'internal', status });
}

function malformed(status: number, cause: unknown): ManagementError {
  return new ManagementError(`the answer with status ${status} does not come from this service`, {
    code: 'malformed_answer',
    status,
    cause,
  });
}
