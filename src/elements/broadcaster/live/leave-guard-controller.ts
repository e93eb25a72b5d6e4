import type { ReactiveController } from 'lit';

/** Has the browser ask before the page is left, for as long as `isNeeded` says so. */
export class LeaveGuardController implements ReactiveController {
  readonly #isNeeded: () => boolean;

  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  hostUpdated(): void {
    // A listener that is always there would keep the page out of the browser's back-forward cache.
    if (this.#isNeeded()) window.addEventListener('beforeunload', this.#ask);
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeunload', this.#ask);
  }

  readonly #ask = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
    // Chrome before 119.
    event.returnValue = true;
  };
}
