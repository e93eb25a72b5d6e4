import type { ReactiveController, ReactiveControllerHost } from 'lit';

const SHOWN_FOR_MS = 2_000;

/** Copies texts to the clipboard. For two seconds after that, `copied` is the copied text. */
export class CopyController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The text that was just copied. Empty: none. */
  copied = '';

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#setCopied('');
  }

  /** @returns false in a page without https or a frame without permission, which may not write to the clipboard */
  async copy(text: string): Promise<boolean> {
    // Empty first: a screen reader announces the same text again only after the live region was empty.
    this.#setCopied('');
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return false;
    }
    this.#setCopied(text);
    this.#timer = setTimeout(() => this.#setCopied(''), SHOWN_FOR_MS);
    return true;
  }

  #setCopied(copied: string): void {
    clearTimeout(this.#timer);
    this.copied = copied;
    this.#host.requestUpdate();
  }
}
