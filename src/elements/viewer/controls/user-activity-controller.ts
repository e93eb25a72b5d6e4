import type { ReactiveController, ReactiveControllerHost } from 'lit';

const IDLE_AFTER_MS = 3_000;

/** Notices when nobody has moved, touched or pressed anything over its host for a while. */
export class UserActivityController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  isInactive = false;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    const stir = (): void => this.hostConnected();
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) host.addEventListener(type, stir);
    // A finger leaves with every tap.
    host.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && this.#become(true));
    host.addController(this);
  }

  hostConnected(): void {
    this.hostDisconnected();
    this.#timer = setTimeout(() => this.#become(true), IDLE_AFTER_MS);
    this.#become(false);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  #become(isIdle: boolean): void {
    if (this.isInactive === isIdle) return;
    this.isInactive = isIdle;
    this.#host.requestUpdate();
  }
}
