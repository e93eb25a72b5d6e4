import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ManagementError } from '../../management/management-error.js';
import type { ManagementClient } from '../../management/management-client.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import { faultText, SESSION_ENDED, type PageView } from './page-view.js';
import { saveCsv } from './save-file.js';

/**
 * What every page of the dashboard has: the client, the texts, changes with their faults, and dialogs. A page has no
 * shadow root, so that the styles of the dashboard apply.
 */
export abstract class DashboardPage<Messages extends object, Content extends object> extends LitElement {
  @property({ attribute: false }) client!: ManagementClient;
  /** The texts of this page. */
  @property({ attribute: false }) messages!: Messages;
  /** The texts that all pages share. */
  @property({ attribute: false }) common!: DashboardMessages;
  /** BCP 47 tag for dates and numbers. */
  @property({ attribute: false }) language = 'en';
  @state() protected view: PageView<Content> = { name: 'loading' };
  /** Whether a change is under way. */
  @state() protected isBusy = false;
  /** Why the last change failed. Empty: it did not. */
  @state() protected fault = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  protected show(view: PageView<Content>): void {
    this.view = view;
    if (view.name === 'session-ended') this.#endSession();
  }

  /** Makes a change. Its fault becomes a text for the person. */
  protected attempt(act: () => Promise<void>): void {
    this.isBusy = true;
    this.fault = '';
    void act()
      .catch((error: unknown) => {
        this.fault = faultText(error, this.common);
        if (error instanceof ManagementError && error.status === 401) this.#endSession();
      })
      .finally(() => (this.isBusy = false));
  }

  /**
   * A button that saves a whole table.
   * @param name of the table, in the person's language
   */
  protected csvButton(name: string, fileName: string, read: () => Promise<string>): TemplateResult {
    const { downloadCsv } = this.common;
    return html`
      <button
        class="download"
        ?disabled=${this.isBusy}
        aria-label=${`${downloadCsv}: ${name}`}
        @click=${() => this.attempt(async () => saveCsv(await read(), fileName))}
      >
        ${downloadCsv}
      </button>
    `;
  }

  #endSession(): void {
    this.dispatchEvent(new Event(SESSION_ENDED, { bubbles: true }));
  }
}
