import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** How an attempt ended: with the status of its answer, or without an answer. */
export interface Attempt {
  /** Undefined: the connection was refused, ended or had no answer. */
  readonly status: number | undefined;
  /** How long the server asks to wait, in ms. */
  readonly retryAfterMs: number | undefined;
}

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How long an attacker waits for an answer, in ms. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * The headers of somebody far away. The server takes the loopback network for a proxy, which has one network for
 * all.
 */
export const forwardedFrom = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Somebody who has no token, with a network (/24) of their own. */
export class Stranger {
  /** Of the loopback network. */
  readonly address: string;
  /** What a proxy says of them. */
  readonly forwarded: Readonly<Record<string, string>>;
  readonly #origin: string;
  readonly #agent: Agent;

  /** @param number 0 to 255 */
  constructor(origin: string, number: number) {
    this.#origin = origin;
    this.address = `127.1.${number}.1`;
    this.forwarded = forwardedFrom(`198.18.${number}.1`);
    this.#agent = new Agent({ keepAlive: true, localAddress: this.address });
  }

  /** Never rejects. */
  call({ method = 'POST', path, headers = {}, body = '' }: Call): Promise<Attempt> {
    return new Promise((resolve) => {
      const lost = (): void => resolve({ status: undefined, retryAfterMs: undefined });
      const asked = request(new URL(path, this.#origin), {
        method,
        agent: this.#agent,
        headers: { ...this.forwarded, ...headers },
      });
      asked.setTimeout(ANSWER_WITHIN_MS, () => asked.destroy());
      asked.on('error', lost).on('close', lost);
      asked.on('response', (response: IncomingMessage) => {
        response.resume();
        response.on('error', lost).on('end', () => resolve(attemptOf(response)));
      });
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function attemptOf({ statusCode, headers }: IncomingMessage): Attempt {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return { status: statusCode, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined };
}
