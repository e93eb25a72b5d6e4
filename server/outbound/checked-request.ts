import { request as requestHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TargetAddresses } from './target-addresses.js';

const MOST_HEADER_BYTES = 16 * 1_024;

export interface CheckedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly addresses: Pick<TargetAddresses, 'of'>;
  /** A receiver that sends a longer body is disconnected. */
  readonly mostAnswerBytes: number;
  /** Ends the request: looking the name up, connecting, sending, and reading the answer. */
  readonly signal: AbortSignal;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Rejects if the answer breaks off or is too long. A caller who needs only the status may leave it. */
  readonly body: Promise<string>;
}

/**
 * Sends a request to an address that accounts choose. The connection is made to an address that was checked. Redirects
 * are not followed.
 * @throws {AddressRefusedError} @throws {NameUnknownError} @throws {Error} of the network
 */
export async function requestChecked(target: URL, options: CheckedRequest): Promise<CheckedAnswer> {
  const { method, headers, body = '', addresses, mostAnswerBytes, signal } = options;
  const lookup = await lookupFor(target, addresses, signal);
  const bytes = Buffer.from(body);
  const requestOptions: RequestOptions = {
    method,
    // An address in the URL is not looked up; `addresses.of` has checked it.
    lookup,
    signal,
    // A connection that is kept would be to an address that was checked earlier.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: { 'content-length': bytes.length, connection: 'close', ...headers },
  };
  return await new Promise<CheckedAnswer>((resolve, reject) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, requestOptions);
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let read = 0;
      const text = new Promise<string>((finish, fail) => {
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > mostAnswerBytes) request.destroy(new Error(`the answer is longer than ${mostAnswerBytes} bytes`));
          else chunks.push(chunk);
        });
        response.on('end', () => finish(Buffer.concat(chunks).toString()));
        response.on('error', fail);
      });
      text.catch(() => {});
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    request.end(bytes);
  });
}

/** Answers every lookup of the connection with addresses that were checked. */
async function lookupFor(
  target: URL,
  addresses: CheckedRequest['addresses'],
  signal: AbortSignal,
): Promise<LookupFunction> {
  const permitted = await addresses.of(target.hostname, signal);
  return (_host, options, done) => {
    const [first] = permitted;
    if (options.all) done(null, [...permitted]);
    else done(null, first!.address, first!.family);
  };
}
