import type { ReactiveController, ReactiveControllerHost } from 'lit';

const TOLD_FOR_MS = 2_000;

/** Copies texts, and knows for a moment which one was copied. */
export class CopyController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The text that was copied a moment ago; empty: none. */
  copied = '';

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#tell('');
  }

  /** @returns whether it was copied: a page without https, and a frame without permission, may not write to the clipboard */
  async copy(text: string): Promise<boolean> {
    // Emptied first: what is announced already is announced once more only when it comes anew.
    this.#tell('');
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return false;
    }
    this.#tell(text);
    this.#timer = setTimeout(() => this.#tell(''), TOLD_FOR_MS);
    return true;
  }

  #tell(copied: string): void {
    clearTimeout(this.#timer);
    this.copied = copied;
    this.#host.requestUpdate();
  }
}
