import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { CopyController } from '../elements/copy-controller.js';
import type { CopyMessages } from './messages/copy-messages.js';
import { en } from './messages/en.js';

/** A text field with a button that copies the text, which is a link, code or a secret value. It has no shadow root, so that the styles of the page apply. */
export class CopyField extends LitElement {
  @property() label = '';
  @property() value = '';
  @property({ attribute: false }) messages: CopyMessages = en;
  readonly #copying = new CopyController(this);

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { copy, copied, copyThis, copiedThis } = this.messages;
    const wasCopied = this.#copying.copied !== '';
    return html`
      <div class="copy">
        <label for=${this.#id}>${this.label}</label>
        <div>
          <input id=${this.#id} readonly dir="ltr" .value=${this.value} @focus=${this.#select} />
          <button type="button" aria-label=${copyThis(this.label)} @click=${this.#copy}>
            ${wasCopied ? copied : copy}
          </button>
        </div>
        <span class="visually-hidden" role="status">${wasCopied ? copiedThis(this.label) : ''}</span>
      </div>
    `;
  }

  /** Focuses the text, which selects it. */
  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  }

  get #id(): string {
    return `copy-${this.label.toLowerCase().replaceAll(' ', '-')}`;
  }

  #select({ target }: FocusEvent): void {
    if (target instanceof HTMLInputElement) target.select();
  }

  async #copy(): Promise<void> {
    // So that it can be copied by hand.
    if (!(await this.#copying.copy(this.value))) this.focus();
  }
}

customElements.define('copy-field', CopyField);

declare global {
  interface HTMLElementTagNameMap {
    'copy-field': CopyField;
  }
}
