import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ManagementError } from '../../management/management-error.js';
import type { ManagementClient } from '../../management/management-client.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import { PageChanges } from './page-changes.js';
import type { PageContext, PageTexts } from './page-context.js';
import { PageDialog } from './page-dialog.js';
import { searchOf, type PageQuery } from './page-query.js';
import {
  faultText,
  isNotPermitted,
  SESSION_CHANGED,
  SESSION_ENDED,
  unreadyContent,
  type PageView,
} from './page-view.js';
import { saveCsv } from './save-file.js';

/**
 * What every page of the dashboard has: the context, its texts, its view, changes with their outcomes, and one dialog.
 * A page has no shadow root, so that the styles of the dashboard apply.
 */
export abstract class DashboardPage<
  Messages extends object,
  Content extends object,
  Dialog extends object = never,
> extends LitElement {
  @property({ attribute: false }) context!: PageContext;
  /** The texts of this page. */
  @property({ attribute: false }) messages!: Messages;
  @state() protected view: PageView<Content> = { name: 'loading' };
  protected readonly changes = new PageChanges(this, (error) => this.#faultOf(error));
  protected readonly dialog = new PageDialog<Dialog>(this, this.changes);

  #path = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.#path = location.pathname;
    window.addEventListener('popstate', this.#onWayBack);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('popstate', this.#onWayBack);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** What the address says that the page shows. */
  protected get query(): URLSearchParams {
    return new URLSearchParams(location.search);
  }

  /** Shows what an address says: after `turn`, and on the way back. A page calls it when it opens. */
  protected follow(_query: URLSearchParams): void {}

  /**
   * Shows something else, and says so in the address, so that a reload, the way back and a sent link show the same.
   * @param how `replace`: the way back does not lead to what was shown before, such as a search while it is typed
   */
  protected turn(query: PageQuery, how: 'push' | 'replace' = 'push'): void {
    const search = searchOf(location.search, query);
    try {
      if (search !== location.search) history[`${how}State`](null, '', location.pathname + search);
    } catch {
      // Safari permits a hundred changes in half a minute. What follows is in the address again.
    }
    this.follow(new URLSearchParams(search));
  }

  readonly #onWayBack = (): void => {
    if (location.pathname === this.#path) this.follow(this.query);
  };

  protected override willUpdate(changed: PropertyValues): void {
    // The outcome of the last change was told in another language.
    if (changed.get('messages')) this.changes.forget();
  }

  protected get client(): ManagementClient {
    return this.context.client;
  }

  protected get common(): DashboardMessages {
    return this.context.common;
  }

  protected get language(): string {
    return this.context.language;
  }

  protected get texts(): PageTexts<Messages> {
    const { messages, common, language } = this;
    return { messages, common, language };
  }

  /** Whether the person has this permission. */
  protected may(permission: string): boolean {
    return this.context.permissions.includes(permission);
  }

  protected show(view: PageView<Content>): void {
    this.view = view;
    if (view.name === 'session-ended') this.#endSession();
    if (view.name === 'no-permission') this.#refreshSession();
  }

  /** What the page shows when it is ready, or why it is not. @param onRetry reads the page again */
  protected whenReady(render: (content: Content) => TemplateResult, onRetry: () => void): TemplateResult {
    return this.view.name === 'ready' ? render(this.view) : unreadyContent(this.view, this.common, onRetry);
  }

  /** How the last change of this page ended. A fault is in the dialog while one is open. */
  protected outcome(): TemplateResult {
    return html`${this.dialog.isOpen ? nothing : this.changes.alert('card')} ${this.changes.status()}`;
  }

  protected focusHeading(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h1')?.focus());
  }

  /** With the focus on the value, of which screen readers tell then: the button that asked for it may be gone. */
  protected showNewValue(dialog: Dialog): void {
    this.dialog.open(dialog);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('dialog copy-field')?.focus());
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
        ?disabled=${this.changes.isBusy}
        aria-label=${`${downloadCsv}: ${name}`}
        @click=${() => this.changes.attempt(async () => saveCsv(await read(), fileName))}
      >
        ${downloadCsv}
      </button>
    `;
  }

  #faultOf(error: unknown): string {
    if (error instanceof ManagementError && error.status === 401) this.#endSession();
    if (isNotPermitted(error)) this.#refreshSession();
    return faultText(error, this.common);
  }

  #endSession(): void {
    this.dispatchEvent(new Event(SESSION_ENDED, { bubbles: true }));
  }

  /** The dashboard then shows what the new role permits. */
  #refreshSession(): void {
    this.dispatchEvent(new Event(SESSION_CHANGED, { bubbles: true }));
  }
}
