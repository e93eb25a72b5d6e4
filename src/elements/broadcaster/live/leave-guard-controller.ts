import type { ReactiveController } from 'lit';

/** Makes the browser ask before the page is left, as long as `isNeeded` returns true. */
export class LeaveGuardController implements ReactiveController {
  readonly #isNeeded: () => boolean;

  constructor(isNeeded: () => boolean) {
    this.#isNeeded = isNeeded;
  }

  hostUpdated(): void {
    // A permanent listener would exclude the page from the back/forward cache.
    if (this.#isNeeded()) window.addEventListener('beforeunload', this.#ask);
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeunload', this.#ask);
  }

  readonly #ask = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
    // Chrome before 119 needs this.
    event.returnValue = true;
  };
}
