const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 8_000;
/** A viewer who asked for nothing for so long after the delay is on a good line again. */
const FORGIVEN_AFTER_MS = 10_000;

/**
 * Delays the requests of a viewer on a bad line, who loses picture after picture: every keyframe that this viewer
 * causes is sent to all others too. The delay doubles. Keyframes that others cause are not delayed.
 */
export class RepairBackoff {
  readonly #viewers = new WeakMap<object, { readonly delayMs: number; readonly until: number }>();

  /** When a request that comes now may cause a keyframe. */
  dueAt(viewer: object, now: number): number {
    return Math.max(now, this.#viewers.get(viewer)?.until ?? now);
  }

  /** A keyframe was requested for this viewer. */
  onRequested(viewer: object, now: number): void {
    const before = this.#viewers.get(viewer);
    const isKnown = before && now - before.until < FORGIVEN_AFTER_MS;
    const delayMs = isKnown ? Math.min(MAX_DELAY_MS, 2 * before.delayMs) : FIRST_DELAY_MS;
    this.#viewers.set(viewer, { delayMs, until: now + delayMs });
  }
}
