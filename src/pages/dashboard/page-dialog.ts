import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import type { ReactiveElement } from 'lit';
import type { PageChanges } from './page-changes.js';

/** The dialog of a page. One is open at a time, and shows the fault of the change that it asks for. */
export class PageDialog<Dialog extends object> implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #changes: PageChanges;
  #current: Dialog | undefined;
  #opener: Element | null | undefined;

  constructor(host: ReactiveElement, changes: PageChanges) {
    this.#host = host;
    this.#changes = changes;
    host.addController(this);
  }

  hostUpdated(): void {
    const dialog = this.#host.renderRoot.querySelector('dialog');
    if (!dialog || dialog.open) return;
    dialog.showModal();
    if (dialog.scrollTop > 0) beginAtTitle(dialog);
  }

  get isOpen(): boolean {
    return this.#current !== undefined;
  }

  /** Returns what is open now, for {@link replace}. */
  open<Opened extends Dialog>(dialog: Opened): Opened {
    if (!this.#current) this.#opener = focused() ?? this.#changes.asker;
    this.#changes.forget();
    this.#set(dialog);
    return dialog;
  }

  /** Shows what is known now, unless this dialog was closed or replaced meanwhile. */
  replace(shown: Dialog, next: Dialog): void {
    if (this.#current === shown) this.#set(next);
  }

  close(): void {
    if (!this.#current) return;
    this.#changes.forget();
    this.#set(undefined);
    void this.#giveFocusBack();
  }

  render(content: (dialog: Dialog) => TemplateResult): TemplateResult | typeof nothing {
    const dialog = this.#current;
    if (!dialog) return nothing;
    return html`<dialog aria-labelledby="dialog" @close=${() => this.close()}>${content(dialog)}</dialog>`;
  }

  /** To an opener that the browser has forgotten, because it was disabled when the dialog opened. */
  async #giveFocusBack(): Promise<void> {
    const opener = this.#opener;
    // The change that closes the dialog ends after it.
    await this.#host.updateComplete;
    await this.#host.updateComplete;
    if (!this.isOpen && focused() === undefined) (opener as HTMLElement | null | undefined)?.focus();
  }

  #set(dialog: Dialog | undefined): void {
    this.#current = dialog;
    // The browser then gives the focus back to what opened the dialog. It would not if the dialog was only removed.
    if (!dialog) this.#host.renderRoot.querySelector('dialog')?.close();
    this.#host.requestUpdate();
  }
}

/** The browser scrolled a long dialog to what it gave the focus, past what has to be read first. */
function beginAtTitle(dialog: HTMLDialogElement): void {
  const title = dialog.querySelector<HTMLElement>('#dialog');
  if (!title) return;
  title.tabIndex = -1;
  title.focus();
  dialog.scrollTop = 0;
}

/** What has the focus. Undefined: nothing has. */
function focused(): Element | undefined {
  const { activeElement = null, body } = globalThis.document ?? {};
  return activeElement === null || activeElement === body ? undefined : activeElement;
}
