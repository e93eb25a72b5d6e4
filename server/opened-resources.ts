/** Everything that was opened and has to be closed, by whoever puts it together. Node 22 has no AsyncDisposableStack. */
export class OpenedResources {
  readonly #closings: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /** To be called as soon as there is something to close: what is opened next may fail. */
  add(close: () => unknown): void {
    this.#closings.push(close);
  }

  /**
   * Closes all, the newest first, each when those before it are closed. One that fails keeps no other open.
   * @throws {AggregateError} what failed
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    const faults: unknown[] = [];
    for (let close = this.#closings.pop(); close; close = this.#closings.pop()) {
      try {
        await close();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'not everything could be closed');
  }
}
