import type { Logger } from 'pino';
import { ExpiringMap } from '../expiring-map.js';
import { FairLimit } from '../fair-limit.js';
import { MediaError } from '../media/engine/media-error.js';
import type { UpstreamClient } from './upstream-client.js';
import { namesOf, readStreamId } from '../streams/stream-id.js';
import type { UpstreamTarget } from './upstream.js';

/** The calls to upstreams at once: a stream that begins has all its viewers ask in one moment. */
const CALLS_AT_ONCE = 64;
/** Of one account: an upstream that is slow to answer must not hold all. */
const CALLS_OF_ONE = 24;
/** After an upstream did not answer, sessions are refused at once for a while. Longer with each failure in a row. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** Accounts can name ever new upstreams that do not answer. */
const AWAY = { capacity: 1_000, lifeMs: 10 * LONGEST_PAUSE_MS };

export interface UpstreamCallsOptions {
  readonly client: Pick<UpstreamClient, 'open'>;
  readonly monotonicNow: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** A stream, by its key in the media engine, and where it is. */
export interface CalledStream {
  readonly key: string;
  readonly target: UpstreamTarget;
}

/** Calls upstreams, only so many at once, shared by account, and none that did not answer a moment ago. */
export class UpstreamCalls {
  readonly #options: UpstreamCallsOptions;
  readonly #limit = new FairLimit({ atOnce: CALLS_AT_ONCE, ofOne: CALLS_OF_ONE });
  /** By the origin of an upstream that did not answer. */
  readonly #away: ExpiringMap<{ readonly failures: number; readonly until: number }>;

  constructor(options: UpstreamCallsOptions) {
    this.#options = options;
    this.#away = new ExpiringMap({ ...AWAY, now: options.monotonicNow });
  }

  /**
   * Opens a session.
   * @param gone the client left, or the server stops, while the call waits for its turn
   * @throws {MediaError} `engine_unavailable`, and what `UpstreamClient.open` throws
   */
  open(call: 'publish' | 'view', { key, target }: CalledStream, offer: string, gone: AbortSignal) {
    const streamId = readStreamId(key);
    return this.#limit.run(streamId ? namesOf(streamId).accountId : key, async () => {
      gone.throwIfAborted();
      const { origin } = target.addresses[call];
      const { client, monotonicNow } = this.#options;
      const away = this.#away.get(origin);
      if (away && monotonicNow() < away.until) {
        throw new MediaError('engine_unavailable', 'the upstream did not answer a moment ago');
      }
      try {
        const opened = await client.open(call, target, offer);
        this.#away.delete(origin);
        return opened;
      } catch (error) {
        this.#failed(origin, error);
        throw error;
      }
    });
  }

  #failed(origin: string, error: unknown): void {
    const { log, monotonicNow } = this.#options;
    const code = error instanceof MediaError ? error.code : 'internal';
    if (code !== 'engine_unavailable' && code !== 'upstream_refused') return;
    log.warn({ upstream: origin, err: error }, 'an upstream did not accept a session');
    if (code !== 'engine_unavailable') return;
    const failures = (this.#away.get(origin)?.failures ?? 0) + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.#away.set(origin, { failures, until: monotonicNow() + pauseMs });
  }
}
