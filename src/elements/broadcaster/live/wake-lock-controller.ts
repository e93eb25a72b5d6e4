import type { ReactiveController } from 'lit';

/**
 * Keeps the screen on as long as `isNeeded` returns true: a phone that locks its screen stops the camera. Browsers
 * release the wake lock when the page is hidden, so it is requested again when the page is visible.
 */
export class WakeLockController implements ReactiveController {
  readonly #isNeeded: () => boolean;
  /** Aborts when the wake lock is no longer needed. */
  #need: AbortController | undefined;

  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  hostUpdated(): void {
    if (!this.#isNeeded()) return this.hostDisconnected();
    if (this.#need) return;
    const { signal } = (this.#need = new AbortController());
    document.addEventListener('visibilitychange', () => void request(signal), { signal });
    void request(signal);
  }

  hostDisconnected(): void {
    this.#need?.abort();
    this.#need = undefined;
  }
}

/** Requests the wake lock, and releases it when `signal` aborts. */
async function request(signal: AbortSignal): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    // Absent in Safari before 16.4, in Firefox before 126, and on pages without https.
    const lock = await (navigator as Partial<Pick<Navigator, 'wakeLock'>>).wakeLock?.request('screen');
    if (signal.aborted) await lock?.release();
    else signal.addEventListener('abort', () => void lock?.release());
  } catch {
    // Refused when the battery is low, or in a frame without allow="screen-wake-lock". The broadcast continues.
  }
}
