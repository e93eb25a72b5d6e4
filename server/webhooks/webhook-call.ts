import { request as requestHttp, type ClientRequest, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { CallFault } from '../../src/wire/management/webhook.js';
import type { CallReport } from './webhook-store.js';
import { AddressRefusedError, type TargetAddresses } from './target-address.js';

/** For everything: looking the name up, connecting, sending, and the answer. */
export const CALL_TIMEOUT_MS = 15_000;
/** What is read of an answer. Its body is not used: a receiver that sends more is disconnected. */
const MOST_ANSWER_BYTES = 64 * 1_024;
const MOST_HEADER_BYTES = 16 * 1_024;

export interface WebhookCallOptions {
  readonly addresses: Pick<TargetAddresses, 'of'>;
  readonly timeoutMs?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface WebhookMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a message to a receiver. Redirects are not followed. Never throws: every end of a call is a report. */
export async function callWebhook(
  { url, body, headers }: WebhookMessage,
  { addresses, timeoutMs = CALL_TIMEOUT_MS, now }: WebhookCallOptions,
  closing: AbortSignal,
): Promise<CallReport> {
  const begun = performance.now();
  const timeout = new AbortController();
  // Not cleared when the status is known: the rest of the answer must not take longer either.
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const signal = AbortSignal.any([timeout.signal, closing]);
  const ended = (status: number | null, fault: CallFault | null): CallReport => ({
    on: now(),
    durationMs: Math.round(performance.now() - begun),
    status,
    fault,
  });
  try {
    const target = new URL(url);
    const lookup = await untilAborted(signal, lookupFor(target, addresses));
    const status = await post(target, { lookup, body, headers, signal });
    return ended(status, faultOfStatus(status));
  } catch (error) {
    return ended(null, timeout.signal.aborted ? 'timed_out' : faultOf(error));
  } finally {
    timer.unref();
  }
}

function faultOfStatus(status: number): CallFault | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'status';
}

/** Answers every lookup of the connection with addresses that were checked. */
async function lookupFor(target: URL, addresses: WebhookCallOptions['addresses']): Promise<LookupFunction> {
  const permitted = await addresses.of(target.hostname);
  return (_host, options, done) => {
    const [first] = permitted;
    if (options.all) done(null, [...permitted]);
    else done(null, first!.address, first!.family);
  };
}

interface Post {
  readonly lookup: LookupFunction;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** @returns the status */
async function post(target: URL, { lookup, body, headers, signal }: Post): Promise<number> {
  const bytes = Buffer.from(body);
  const options: RequestOptions = {
    method: 'POST',
    // An address in the URL is not looked up; `addresses.of` has checked it.
    lookup,
    signal,
    // A connection that is kept would be to an address that was checked earlier.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'Streamgate-Webhooks/1',
      connection: 'close',
      ...headers,
    },
  };
  return await new Promise<number>((resolve, reject) => {
    const request: ClientRequest =
      target.protocol === 'https:' ? requestHttps(target, options) : requestHttp(target, options);
    request.on('error', reject);
    request.on('response', (response) => {
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > MOST_ANSWER_BYTES) request.destroy();
      });
      // The status is the whole answer: what breaks after it changes nothing.
      response.on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
    request.end(bytes);
  });
}

/** A lookup of a name cannot be stopped, but nobody has to wait for it. */
async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  signal.throwIfAborted();
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}

const NAME_FAULTS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EAI_NODATA', 'EAI_NONAME']);
const TLS_FAULT = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|EPROTO$)/;

function faultOf(error: unknown): CallFault {
  if (error instanceof AddressRefusedError) return 'address_refused';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NAME_FAULTS.has(code)) return 'name_unknown';
  return TLS_FAULT.test(code) ? 'tls_broken' : 'unreachable';
}
