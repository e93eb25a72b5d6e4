/** Resources to close together, in reverse order. Like AsyncDisposableStack, which Node 22 does not have. */
export class OpenedResources {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /** Call this directly after opening a resource: the next step may fail. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /**
   * Closes the newest resource first, one after the other. If one fails, the others are closed all the same.
   * @throws {AggregateError} the errors
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some resources could not be closed');
  }
}
