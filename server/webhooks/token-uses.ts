import { ApiError } from '../errors.js';
import { after } from '../faults/timers.js';
import type { TokenEventStore, TokenUse } from './webhook-store.js';

const WRITTEN_AFTER_MS = 500;
const RETRY_AFTER_MS = 5_000;
/** Databases limit the parameters of a statement. */
const WRITTEN_AT_ONCE = 500;
/** Tokens that need no write, because this server has written their use. */
const MOST_KNOWN = 100_000;
const MOST_WAITING = 10_000;

/** An open session, as far as its token matters. */
export interface TokenSession {
  readonly grant: { readonly tokenId: number | null; readonly streamName: string };
}

export interface OpeningSessions {
  on(event: 'opened', listener: (session: TokenSession) => void): unknown;
}

export interface TokenUsesOptions {
  readonly store: Pick<TokenEventStore, 'noteUses'>;
  readonly onWritten: () => void;
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Notes which tokens were used, half a second later and many at once. A use that is lost is noted at the next one. */
export class TokenUses {
  readonly #options: TokenUsesOptions;
  readonly #known = new Set<number>();
  readonly #waiting = new Map<number, TokenUse>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: TokenUsesOptions) {
    this.#options = options;
  }

  /** Listens to sessions that open. */
  follow(sessions: OpeningSessions): void {
    sessions.on('opened', ({ grant }) => this.#opened(grant));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
    clearTimeout(this.#timer);
  }

  #opened({ tokenId, streamName }: TokenSession['grant']): void {
    if (tokenId === null || this.#known.has(tokenId) || this.#waiting.has(tokenId)) return;
    if (this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(tokenId, { tokenId, streamName, time: this.#options.now() });
    this.#writeAfter(WRITTEN_AFTER_MS);
  }

  #writeAfter(ms: number): void {
    this.#timer ??= after('webhooks', ms, () => {
      this.#timer = undefined;
      return this.#write();
    }).unref();
  }

  async #write(): Promise<void> {
    await this.#writing;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { store, onWritten, onFailed } = this.#options;
    const waiting = [...this.#waiting.values()];
    for (let start = 0; start < waiting.length; start += WRITTEN_AT_ONCE) {
      const part = waiting.slice(start, start + WRITTEN_AT_ONCE);
      try {
        await store.noteUses(part);
      } catch (error) {
        if (error instanceof ApiError) return this.#writeAfter(RETRY_AFTER_MS);
        onFailed(error);
      }
      if (this.#known.size > MOST_KNOWN) this.#known.clear();
      for (const { tokenId } of part) {
        this.#known.add(tokenId);
        this.#waiting.delete(tokenId);
      }
      onWritten();
    }
  }
}
