import { MediaError } from '../media/engine/media-error.js';
import { requestChecked, type CheckedRequest } from '../outbound/checked-request.js';
import { AddressRefusedError, type TargetAddresses } from '../outbound/target-addresses.js';
import { readLiveState, type LiveState } from './live-state.js';
import { readOfferAnswer, readRemovalStatus } from './upstream-answer.js';
import type { UpstreamTarget } from './upstream.js';

/** For one request: looking the name up, connecting, sending, and the answer. */
const TIMEOUT_MS = 10_000;
const MOST_ANSWER_BYTES = 1_024 * 1_024;
const MOST_REDIRECTS = 3;
const USER_AGENT = 'Streamgate-Upstream/1';

/** A session at an upstream: what ends it. */
export interface UpstreamSession {
  /** The `Location` that the upstream answered with. Who knows it can end the session. */
  readonly url: string;
  /** For the DELETE. Null: none is sent. */
  readonly token: string | null;
}

export interface OpenedUpstreamSession {
  readonly answer: string;
  readonly session: UpstreamSession;
}

/** Calls upstreams over WHIP and WHEP, and asks them what is live. */
export class UpstreamClient {
  readonly #addresses: Pick<TargetAddresses, 'of'>;
  readonly #timeoutMs: number;

  constructor(addresses: Pick<TargetAddresses, 'of'>, timeoutMs = TIMEOUT_MS) {
    this.#addresses = addresses;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends an offer.
   * @returns `not_live`: the offer of a viewer, and the stream is not live there
   * @throws {MediaError} what the upstream refuses; `engine_unavailable` if it does not answer
   */
  async open(
    call: 'publish' | 'view',
    { addresses, upstream: { tokens } }: UpstreamTarget,
    offer: string,
  ): Promise<OpenedUpstreamSession | 'not_live'> {
    let url = addresses[call];
    let token = tokens[call];
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { status, headers, body } = await this.#request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/sdp', accept: 'application/sdp', ...authorization(token) },
        body: offer,
      });
      const outcome = readOfferAnswer(call, url, { status, headers, body });
      switch (outcome.name) {
        case 'failed':
          throw outcome.error;
        case 'not_live':
          return 'not_live';
        case 'redirected':
          // The owner gave the token for one origin. What is behind it may be sent elsewhere by whoever can change that.
          if (outcome.to.origin !== url.origin) token = null;
          url = outcome.to;
          break;
        case 'answered': {
          const { location, sdp } = outcome;
          // The address of a session can be anywhere. Only the server that took the offer gets the token again.
          const ownToken = location.origin === url.origin ? token : null;
          return { answer: sdp, session: { url: location.href, token: ownToken } };
        }
      }
    }
    throw new MediaError('upstream_refused', 'the upstream cannot be used: it redirects again and again');
  }

  /** Ends a session. Never throws: `retry` if the upstream did not answer. */
  async remove({ url, token }: UpstreamSession): Promise<ReturnType<typeof readRemovalStatus>> {
    try {
      const { status } = await this.#request(new URL(url), { method: 'DELETE', headers: authorization(token) });
      return readRemovalStatus(status);
    } catch (error) {
      return error instanceof MediaError && error.code === 'upstream_refused' ? 'failed' : 'retry';
    }
  }

  /** Never throws: `unknown` if the upstream did not answer. */
  async liveState({ addresses, upstream: { software, tokens } }: UpstreamTarget): Promise<LiveState> {
    try {
      const headers = { accept: 'application/json', ...authorization(tokens.status) };
      const answer = await this.#request(addresses.status, { method: 'GET', headers });
      return readLiveState(software, answer, addresses.publish);
    } catch {
      return 'unknown';
    }
  }

  /** @throws {MediaError} `engine_unavailable`, `upstream_refused` */
  async #request(url: URL, request: Pick<CheckedRequest, 'method' | 'headers' | 'body'>) {
    try {
      const answer = await requestChecked(url, {
        ...request,
        headers: { 'user-agent': USER_AGENT, ...request.headers },
        addresses: this.#addresses,
        mostAnswerBytes: MOST_ANSWER_BYTES,
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      return { status: answer.status, headers: answer.headers, body: await answer.body };
    } catch (cause) {
      if (cause instanceof AddressRefusedError) {
        throw new MediaError('upstream_refused', 'the upstream cannot be used: its address is not a public one', {
          cause,
        });
      }
      throw new MediaError('engine_unavailable', 'the upstream does not answer', { cause });
    }
  }
}

function authorization(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
