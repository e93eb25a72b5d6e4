import type { ReactiveController } from 'lit';

/** Makes the browser ask before the page is left, for as long as `isNeeded` says so. */
export class LeaveGuardController implements ReactiveController {
  readonly #isNeeded: () => boolean;

  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  hostUpdated(): void {
    // A permanent listener would keep the page out of the back-forward cache.
    if (this.#isNeeded()) window.addEventListener('beforeunload', this.#ask);
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeunload', this.#ask);
  }

  readonly #ask = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
    // Chrome before 119 asks only for this.
    event.returnValue = true;
  };
}
