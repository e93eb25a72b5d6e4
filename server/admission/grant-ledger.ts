/** Remembers spent grants until they expire. */
export class GrantLedger {
  /** Session id to the expiry of its grant. Nearly in order of expiry, because all grants live equally long. */
  readonly #spent = new Map<string, number>();

  /** Spends the grant of `sessionId`. False if it was spent before. Times are milliseconds since 1970. */
  spend(sessionId: string, expiresAt: number, now: number): boolean {
    this.#forgetExpired(now);
    if (this.#spent.has(sessionId)) return false;
    this.#spent.set(sessionId, expiresAt);
    return true;
  }

  get size(): number {
    return this.#spent.size;
  }

  #forgetExpired(now: number): void {
    for (const [sessionId, expiresAt] of this.#spent) {
      if (expiresAt > now) return;
      this.#spent.delete(sessionId);
    }
  }
}
