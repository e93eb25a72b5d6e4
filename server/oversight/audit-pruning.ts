import { AUDIT_KEPT_MS, type AuditStore } from './audit-store.js';

/** How often old entries are looked for, in ms. */
export const PRUNE_EVERY_MS = 24 * 3_600_000;

export interface AuditPruningParts {
  readonly store: Pick<AuditStore, 'prune'>;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** The entries stay for another day. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
}

/** Forgets audit entries whose time is over: at the start, and each day that the server then runs. */
export class AuditPruning {
  readonly #store: AuditPruningParts['store'];
  readonly #now: () => number;
  readonly #onFailed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #pruning: Promise<void> = Promise.resolve();

  constructor({ store, now = Date.now, onFailed = () => {} }: AuditPruningParts) {
    this.#store = store;
    this.#now = now;
    this.#onFailed = onFailed;
  }

  /** Rejects if the store cannot be pruned now, and then does nothing further. */
  async start(): Promise<void> {
    await this.#prune();
    const again = () => {
      this.#pruning = this.#prune().catch(this.#onFailed);
    };
    this.#timer = setInterval(again, PRUNE_EVERY_MS).unref();
  }

  /** Resolves when the store is let go of. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#pruning;
  }

  async #prune(): Promise<void> {
    await this.#store.prune(this.#now() - AUDIT_KEPT_MS);
  }
}
