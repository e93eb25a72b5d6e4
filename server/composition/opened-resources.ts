/** Resources to close together, in reverse order. Like AsyncDisposableStack, which Node 22 does not have. */
export class OpenedResources {
  readonly #closers: { readonly close: () => unknown; readonly isOfCaller: boolean }[] = [];
  #closed: Promise<void> | undefined;

  /** Call this directly after opening a resource: the next step may fail. */
  add(close: () => unknown): void {
    this.#closers.push({ close, isOfCaller: false });
  }

  /** As `add`, for a resource that the caller keeps if the others cannot all be opened. */
  addOfCaller(close: () => unknown): void {
    this.#closers.push({ close, isOfCaller: true });
  }

  /**
   * Closes the newest resource first, one after the other. If one fails, the others are closed all the same.
   * @throws {AggregateError} the errors
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll(true));
  }

  /** As `close`, after one could not be opened: leaves open what belongs to the caller. */
  abandon(): Promise<void> {
    return (this.#closed ??= this.#closeAll(false));
  }

  async #closeAll(withCallers: boolean): Promise<void> {
    const errors: unknown[] = [];
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      if (closer.isOfCaller && !withCallers) continue;
      try {
        await closer.close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some resources could not be closed');
  }
}
