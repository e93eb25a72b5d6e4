import type { CallFault } from '../../src/wire/management/webhook.js';
import { requestChecked } from '../outbound/checked-request.js';
import { NameUnknownError } from '../outbound/name-lookup.js';
import { AddressRefusedError, type TargetAddresses } from '../outbound/target-addresses.js';
import type { CallReport } from './webhook-store.js';

/** For everything: looking the name up, connecting, sending, and the answer. */
export const CALL_TIMEOUT_MS = 15_000;
/** What is read of an answer. Its body is not used: a receiver that sends more is disconnected. */
const MOST_ANSWER_BYTES = 64 * 1_024;

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
    const { status } = await requestChecked(new URL(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Streamgate-Webhooks/1', ...headers },
      body,
      addresses,
      mostAnswerBytes: MOST_ANSWER_BYTES,
      signal,
    });
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

const TLS_FAULT = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|EPROTO$)/;

function faultOf(error: unknown): CallFault {
  if (error instanceof AddressRefusedError) return 'address_refused';
  if (error instanceof NameUnknownError) return 'name_unknown';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return TLS_FAULT.test(code) ? 'tls_broken' : 'unreachable';
}
