import type { ReactiveController, ReactiveControllerHost } from 'lit';

interface Host extends ReactiveControllerHost, HTMLElement {
  readonly pauseWhenHidden: boolean;
}

/** Tells a host that wants to know whether it is hidden: by its tab, or by `display: none`, as in a closed dialog. */
export class VisibilityController implements ReactiveController {
  readonly #host: Host;
  #connection: AbortController | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Scrolled out of view, and beside a window of its own with the picture, it is not hidden. */
  get isHidden(): boolean {
    const { pauseWhenHidden, ownerDocument, shadowRoot } = this.#host;
    if (!pauseWhenHidden || shadowRoot?.pictureInPictureElement) return false;
    return ownerDocument.hidden || !this.#host.checkVisibility();
  }

  hostUpdate(): void {
    const host = this.#host;
    if (!host.pauseWhenHidden || !host.isConnected || this.#connection) return;
    const { signal } = (this.#connection = new AbortController());
    const changed = (): void => host.requestUpdate();
    host.ownerDocument.addEventListener('visibilitychange', changed, { signal });
    // The first notices a box of no size, the second what `<details>` hides.
    for (const Observer of [ResizeObserver, IntersectionObserver]) {
      const observer = new Observer(changed);
      observer.observe(host);
      signal.addEventListener('abort', () => observer.disconnect());
    }
  }

  hostDisconnected(): void {
    this.#connection?.abort();
    this.#connection = undefined;
  }
}
