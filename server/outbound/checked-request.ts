import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { contain } from '../faults/contain.js';
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
    // After `101 Switching Protocols`, Node.js closes the connection and reports neither an answer nor an error.
    request.on(
      'close',
      contain('outbound', () => reject(new Error('the connection was closed without an answer'))),
    );
    request.on(
      'response',
      contain(
        'outbound',
        (response) => {
          const text = textOf(response, mostAnswerBytes);
          text.catch(() => {});
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        },
        { onFault: reject },
      ),
    );
    request.end(bytes);
  });
}

/** @throws {Error} the answer broke off, or is longer; then its connection is closed */
async function textOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
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
