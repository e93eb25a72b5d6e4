import { Router, type RouterEvents } from './router.js';

/** Keeps a router in existence until it is released. */
export interface RouterHandle {
  readonly router: Router;
  release(): void;
}

export interface RouterRegistryOptions {
  readonly eventsOf: (stream: string) => RouterEvents;
  /** The first router was created. */
  readonly onFirst: () => void;
  /** The last router was removed. */
  readonly onEmpty: () => void;
}

interface Entry {
  readonly router: Router;
  handles: number;
}

/** The routers of a worker by stream. A router exists as long as there is a handle to it. */
export class RouterRegistry {
  readonly #options: RouterRegistryOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: RouterRegistryOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(stream: string): Router | undefined {
    return this.#entries.get(stream)?.router;
  }

  *[Symbol.iterator](): Generator<Router> {
    for (const { router } of this.#entries.values()) yield router;
  }

  *byStream(): Generator<readonly [stream: string, router: Router]> {
    for (const [stream, { router }] of this.#entries) yield [stream, router];
  }

  acquire(stream: string): RouterHandle {
    const entry = this.#entries.get(stream) ?? this.#create(stream);
    entry.handles++;
    return {
      router: entry.router,
      release: () => {
        if (--entry.handles > 0) return;
        this.#entries.delete(stream);
        if (this.#entries.size === 0) this.#options.onEmpty();
      },
    };
  }

  #create(stream: string): Entry {
    const entry = { router: new Router(this.#options.eventsOf(stream)), handles: 0 };
    this.#entries.set(stream, entry);
    if (this.#entries.size === 1) this.#options.onFirst();
    return entry;
  }
}
