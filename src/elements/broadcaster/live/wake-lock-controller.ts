import type { ReactiveController } from 'lit';

/**
 * Keeps the screen on for as long as `isNeeded` says so: a phone that locks itself stops its camera. Browsers release the
 * lock when the page is hidden, so it is requested again when the page is shown.
 */
export class WakeLockController implements ReactiveController {
  readonly #isNeeded: () => boolean;
  /** Aborts when the lock is not needed any more. */
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

/** Holds the lock until `signal` aborts or the page is hidden. */
async function request(signal: AbortSignal): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    // Absent in Safari before 16.4, in Firefox before 126, and on pages without https.
    const lock = await (navigator as Partial<Pick<Navigator, 'wakeLock'>>).wakeLock?.request('screen');
    if (signal.aborted) await lock?.release();
    else signal.addEventListener('abort', () => void lock?.release());
  } catch {
    // A battery that is low refuses the lock, and so does a frame without allow="screen-wake-lock". The broadcast goes on.
  }
}
