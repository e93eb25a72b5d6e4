import { ExpiringMap } from '../expiring-map.js';

/** A use is written at most once in this time for each credential. */
export const LAST_USE_INTERVAL_MS = 60_000;
/** The credentials that are remembered. Others are written more often, which the store ignores. */
const MAX_REMEMBERED = 10_000;

export interface LastUseRecorderOptions {
  readonly write: (id: string, time: number, from: string) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onFailed?: (error: unknown) => void;
}

/** Records when and from where a credential was last used. Calls do not wait for the database. */
export class LastUseRecorder {
  readonly #recent: ExpiringMap<true>;
  readonly #writing = new Set<Promise<void>>();
  readonly #write: LastUseRecorderOptions['write'];
  readonly #now: () => number;
  readonly #onFailed: (error: unknown) => void;

  constructor({ write, now = Date.now, onFailed = () => {} }: LastUseRecorderOptions) {
    this.#recent = new ExpiringMap({ capacity: MAX_REMEMBERED, lifeMs: LAST_USE_INTERVAL_MS, now });
    this.#write = write;
    this.#now = now;
    this.#onFailed = onFailed;
  }

  /** @param from in the form of `bindingAddress` */
  used(id: string, from: string): void {
    if (this.#recent.get(id)) return;
    this.#recent.set(id, true);
    const writing = this.#write(id, this.#now(), from)
      .catch(this.#onFailed)
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when the uses until now are written. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
