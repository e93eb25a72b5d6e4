import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';

/** A text to take away, and the button that takes it. In the page's own styles. */
export class CopyField extends LitElement {
  @property() label = '';
  @property() value = '';
  @state() private wasCopied = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`
      <div class="copy">
        <label for=${this.#id}>${this.label}</label>
        <div>
          <input id=${this.#id} readonly .value=${this.value} @focus=${this.#select} />
          <button type="button" aria-label="Copy ${this.label}" @click=${this.#copy}>
            ${this.wasCopied ? 'Copied' : 'Copy'}
          </button>
        </div>
        <span class="told" role="status">${this.wasCopied ? `${this.label} copied` : ''}</span>
      </div>
    `;
  }

  get #id(): string {
    return `copy-${this.label.toLowerCase().replaceAll(' ', '-')}`;
  }

  #select({ target }: FocusEvent): void {
    if (target instanceof HTMLInputElement) target.select();
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.value);
      this.wasCopied = true;
    } catch {
      // No clipboard without https or permission: what is selected can be copied by hand.
      this.renderRoot.querySelector('input')?.focus();
    }
  }
}

customElements.define('copy-field', CopyField);

declare global {
  interface HTMLElementTagNameMap {
    'copy-field': CopyField;
  }
}
