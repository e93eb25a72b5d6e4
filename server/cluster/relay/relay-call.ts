import * as z from 'zod/mini';
import { RELAY_PATH, relayAnswer, type RelayAnswer, type RelayRequest } from './relay-message.js';
import { parseJson } from '../../bounded-json.js';

/** Why a server did not send a stream. `refused`: asking again is of no use for now. */
export type RelayFault = 'unreachable' | 'not_ready' | 'refused';

export class RelayCallError extends Error {
  override name = 'RelayCallError';
  readonly fault: RelayFault;

  constructor(fault: RelayFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const TIMEOUT_MS = 5_000;

const body = z.object({ data: relayAnswer });

/**
 * Asks another server for a stream.
 * @param url the origin of that server
 * @throws {RelayCallError}
 */
export async function callForRelay(url: string, request: RelayRequest, signal: AbortSignal): Promise<RelayAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${RELAY_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    text = await response.text();
  } catch (cause) {
    throw new RelayCallError('unreachable', 'the other server cannot be reached', { cause });
  }
  if (!response.ok) throw new RelayCallError(faultOf(response.status), `the other server answered ${response.status}`);
  const read = body.safeParse(jsonOf(text));
  if (!read.success) throw new RelayCallError('refused', 'the other server sent an answer that is no relay');
  return read.data.data;
}

/** 409: the stream ended, moved, or its server came back in another epoch, which this server learns in a moment. */
export function faultOf(status: number): RelayFault {
  if (status === 409 || status === 503) return 'not_ready';
  return status >= 500 || status === 429 ? 'unreachable' : 'refused';
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
