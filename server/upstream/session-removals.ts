import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FairLimit } from '../fair-limit.js';
import type { SessionNotes } from './session-notes.js';
import type { UpstreamClient, UpstreamSession } from './upstream-client.js';

/** The pauses after failed attempts; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000];
/** Then the upstream has ended the session by its own rules, or never will. */
const GIVE_UP_AFTER_MS = 3_600_000;
/** For the first attempts of all sessions that are open when the server stops. */
const CLOSE_WITHIN_MS = 4_000;
/** The attempts at once for sessions that lost servers left: there can be thousands. */
const ORPHANS_AT_ONCE = 32;
/** At one upstream, which may not answer. */
const ORPHANS_OF_ONE = 8;

type RemovalOutcome = Awaited<ReturnType<UpstreamClient['remove']>>;

export interface SessionRemovalsOptions {
  readonly client: Pick<UpstreamClient, 'remove'>;
  readonly notes: Pick<SessionNotes, 'remove'>;
  readonly log: Logger;
  readonly pausesMs?: readonly number[];
}

/** Ends sessions at upstreams. An upstream that does not answer is asked again; who was revoked must not go on. */
export class SessionRemovals {
  readonly #options: SessionRemovalsOptions;
  readonly #pausesMs: readonly number[];
  readonly #running = new Set<Promise<void>>();
  readonly #orphans = new FairLimit({ atOnce: ORPHANS_AT_ONCE, ofOne: ORPHANS_OF_ONE });
  readonly #closing = new AbortController();

  constructor(options: SessionRemovalsOptions) {
    this.#options = options;
    this.#pausesMs = options.pausesMs ?? PAUSES_MS;
  }

  /** Resolves when the session has ended, or will not be asked for any more. Never rejects. */
  remove(id: string, session: UpstreamSession): Promise<void> {
    return this.#run(this.#remove(id, session, () => this.#options.client.remove(session)));
  }

  /** As `remove`, for a session that a lost server left. Each attempt waits for its turn, and the pauses take no turn. */
  removeOrphan(id: string, session: UpstreamSession): Promise<void> {
    const attempt = (): Promise<RemovalOutcome> =>
      this.#orphans.run(new URL(session.url).origin, async () =>
        this.#closing.signal.aborted ? 'retry' : await this.#options.client.remove(session),
      );
    return this.#run(this.#remove(id, session, attempt));
  }

  /** Waits for the attempts under way, and makes no others. What was not ended is still noted. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.race([Promise.all(this.#running), setTimeout(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }

  #run(removing: Promise<void>): Promise<void> {
    const removal = removing.finally(() => this.#running.delete(removal));
    this.#running.add(removal);
    return removal;
  }

  async #remove(id: string, session: UpstreamSession, attemptOnce: () => Promise<RemovalOutcome>): Promise<void> {
    const { log } = this.#options;
    const origin = new URL(session.url).origin;
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptOnce();
      if (outcome === 'removed') return await this.#forget(id);
      if (outcome === 'failed' || performance.now() > giveUpAt) {
        log.error({ upstream: origin, session: id, outcome }, 'a session at an upstream could not be ended');
        return await this.#forget(id);
      }
      if (attempt === 0)
        log.warn({ upstream: origin, session: id }, 'an upstream did not end a session: it is asked again');
      if (this.#closing.signal.aborted) return;
      const pauseMs = this.#pausesMs[Math.min(attempt, this.#pausesMs.length - 1)];
      await setTimeout(pauseMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      if (this.#closing.signal.aborted) return;
    }
  }

  async #forget(id: string): Promise<void> {
    const { notes, log } = this.#options;
    // Another DELETE of a session that has ended does no harm.
    await notes
      .remove([id])
      .catch((err: unknown) => log.warn({ err }, 'an ended session at an upstream is still noted'));
  }
}
