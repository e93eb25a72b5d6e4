/** Sessions that are being closed by their worker, by stream. */
export class ClosingSessions {
  readonly #closing = new Map<string, Set<Promise<unknown>>>();

  /** @param request one that fails closed the session too: the worker is gone */
  add(stream: string, request: Promise<unknown>): void {
    const ofStream = this.#closing.get(stream) ?? new Set();
    this.#closing.set(stream, ofStream);
    const closing = request
      .catch(() => {})
      .finally(() => {
        ofStream.delete(closing);
        if (ofStream.size === 0 && this.#closing.get(stream) === ofStream) this.#closing.delete(stream);
      });
    ofStream.add(closing);
  }

  /** Resolves when those that were closed before this call are gone. */
  async whenClosed(stream: string): Promise<void> {
    await Promise.all(this.#closing.get(stream) ?? []);
  }
}
