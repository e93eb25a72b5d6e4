import type { ReactiveController, ReactiveControllerHost } from 'lit';

const INACTIVE_AFTER_MS = 3_000;

/**
 * Detects that the visitor has not moved the pointer over the host, touched it or pressed a key for three seconds. While
 * something is held, such as a slider, they are active.
 */
export class UserActivityController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  isInactive = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    for (const type of ['pointermove', 'pointerdown', 'pointerup', 'pointercancel', 'keydown', 'focusin'])
      host.addEventListener(type, (event) => {
        this.hostConnected();
        if ((event as PointerEvent).buttons) this.hostDisconnected();
      });
    host.addEventListener('pointerleave', ({ pointerType, buttons }) => {
      if (buttons) this.hostConnected();
      // A finger leaves after each tap, so only a mouse that leaves counts.
      else if (pointerType === 'mouse') this.#setInactive(true);
    });
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
