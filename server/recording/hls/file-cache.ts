/** Keeps the files that were asked for last. Callers at the same time share one call of `make`. */
export class FileCache {
  readonly #maxBytes: number;
  /** In order of their last use. */
  readonly #kept = new Map<string, Buffer>();
  readonly #pending = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Of all kept files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined: it is not kept. */
  find(key: string): Buffer | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** @throws whatever `make` throws. Nothing is kept then. */
  async get(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.find(key);
    if (kept) return kept;
    const pending = this.#pending.get(key) ?? this.#make(key, make);
    this.#pending.set(key, pending);
    return await pending;
  }

  async #make(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    try {
      const file = await make();
      this.#keep(key, file);
      return file;
    } finally {
      this.#pending.delete(key);
    }
  }

  #keep(key: string, file: Buffer): void {
    if (file.length > this.#maxBytes) return;
    this.#kept.set(key, file);
    this.#bytes += file.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }
}
