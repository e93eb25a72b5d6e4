import type { ReactiveController, ReactiveControllerHost } from 'lit';

const INACTIVE_AFTER_MS = 3_000;

/** Detects that the visitor has not moved the pointer over the host, touched it or pressed a key for three seconds. */
export class UserActivityController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  isInactive = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin'])
      host.addEventListener(type, () => this.hostConnected());
    // A finger leaves after each tap, so only a mouse that leaves counts.
    host.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && this.#setInactive(true));
    host.addController(this);
  }

  hostConnected(): void {
    this.hostDisconnected();
    this.#timer = setTimeout(() => this.#setInactive(true), INACTIVE_AFTER_MS);
    this.#setInactive(false);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  #setInactive(isInactive: boolean): void {
    if (this.isInactive === isInactive) return;
    this.isInactive = isInactive;
    this.#host.requestUpdate();
  }
}
