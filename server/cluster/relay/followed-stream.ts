import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../faults/contain.js';
import type { MediaEngine } from '../../media/engine/media-engine.js';
import type { ConnectedMedia } from '../../media/engine/media-session.js';
import type { StreamElsewhere } from '../../streams/streams-elsewhere.js';
import { RelayCallError } from './relay-call.js';
import type { StreamId } from '../../streams/stream-id.js';

/** The server that has a stream, in one epoch. */
export type Origin = Pick<StreamElsewhere, 'node'> & { readonly url: string };

export interface FollowedStreamOptions {
  readonly streamId: StreamId;
  readonly origin: Origin;
  readonly engine: Pick<MediaEngine, 'receiveRelay'>;
  /** Asks the origin. @returns the SDP answer @throws {RelayCallError} */
  readonly exchange: (offer: string, signal: AbortSignal) => Promise<string>;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** The stream cannot be received from there. Not called after `close()`. */
  readonly onGivenUp: (reason: unknown) => void;
}

/** A relay that lasted for so long is asked for again at once. One that is lost at once would be, again and again. */
export const STEADY_AFTER_MS = 2_000;
const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 2_000;
/** After so many links in a row that could not be opened, UDP does not reach the other server. */
const MAX_FAILED_LINKS = 2;

/** Receives a stream from its origin, and again whenever the relay breaks, until it is closed. */
export class FollowedStream {
  readonly origin: Origin;
  readonly #options: FollowedStreamOptions;
  readonly #closed = new AbortController();
  #media: ConnectedMedia | undefined;
  #onLost: () => void = () => {};

  constructor(options: FollowedStreamOptions) {
    this.origin = options.origin;
    this.#options = options;
    attempt('cluster', () => this.#run());
  }

  /** The media engine lost a session. */
  sessionLost(id: string): void {
    if (this.#media?.id !== id) return;
    this.#media = undefined;
    this.#onLost();
  }

  close(): void {
    this.#closed.abort();
    this.#media?.close();
    this.#media = undefined;
    this.#onLost();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    const { now = () => performance.now() } = this.#options;
    let retryMs = MIN_RETRY_MS;
    let failedLinks = 0;
    while (!signal.aborted) {
      let isAnswered = false;
      try {
        const began = now();
        await this.#receive(() => (isAnswered = true));
        failedLinks = 0;
        if (now() - began >= STEADY_AFTER_MS) {
          retryMs = MIN_RETRY_MS;
          continue;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isAnswered) failedLinks += 1;
        const isRefused = error instanceof RelayCallError && error.fault === 'refused';
        if (isRefused || failedLinks >= MAX_FAILED_LINKS) return this.#options.onGivenUp(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => {});
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  /** Resolves when a relay has been there and is gone. */
  async #receive(onAnswered: () => void): Promise<void> {
    const { streamId, engine, exchange } = this.#options;
    const { signal } = this.#closed;
    const media = await engine.receiveRelay!(streamId, async (offer) => {
      const answer = await exchange(offer, signal);
      onAnswered();
      return answer;
    });
    if (signal.aborted) return media.close();
    this.#media = media;
    await new Promise<void>((resolve) => (this.#onLost = resolve));
  }
}
