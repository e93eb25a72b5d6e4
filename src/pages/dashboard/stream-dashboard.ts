import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { TokenBody } from '../../wire/management/token.js';
import { broadcasterLink } from '../address.js';
import '../copy-field.js';
import { fetchPinnedFile } from '../pinned-file.js';
import { DashboardState, type DashboardView, type TokenPage } from './dashboard-state.js';
import { embedDialog, type Embedded } from './embed-dialog.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import { en } from './messages/en.js';
import { exactName, stateOf, titleOf } from './token-view.js';

type Dialog =
  | { readonly name: 'delete'; readonly token: TokenBody }
  | { readonly name: 'invite'; readonly streamName: string; readonly link: string }
  | ({ readonly name: 'embed' } & Embedded);

/** The dashboard: goes live with one click, and lists the publish tokens. The styles are those of the page. */
export class StreamDashboard extends LitElement {
  @property({ attribute: false }) messages: DashboardMessages = en;
  /** BCP 47 tag for dates and numbers. */
  @property({ attribute: false }) language = 'en';
  @state() private view: DashboardView = { name: 'loading' };
  @state() private dialog: Dialog | undefined;
  @state() private isBusy = false;
  @state() private errorMessage = '';

  readonly #state = new DashboardState(location.origin, (view) => (this.view = view));

  override connectedCallback(): void {
    super.connectedCallback();
    const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
    // The code must not stay in the address bar or the history.
    if (code) history.replaceState(null, '', location.pathname + location.search);
    void this.#state.enter(code);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(): void {
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  protected override render(): TemplateResult {
    switch (this.view.name) {
      case 'loading':
        return html`<p class="notice soft" role="status">${this.messages.loading}</p>`;
      case 'logged-out':
        return html`
          <div class="card notice">
            <h1>${this.messages.logIn}</h1>
            ${this.view.notice ? html`<p role="alert">${this.messages[this.view.notice]}</p>` : nothing}
            <p class="soft">${this.messages.howToLogIn}</p>
            <code dir="ltr">npx streamgate dashboard</code>
          </div>
        `;
      case 'failed':
        return html`
          <div class="card notice">
            <h1>${this.messages.notLoaded}</h1>
            <p role="alert">${this.view.message || this.messages.unexpected}</p>
            <button @click=${() => this.#state.enter('')}>${this.messages.tryAgain}</button>
          </div>
        `;
      case 'ready':
        return this.#ready(this.view);
    }
  }

  #ready(page: TokenPage): TemplateResult {
    return html`
      <header>
        <h1>Streamgate</h1>
        <p class="soft">${page.accountId}</p>
        <button @click=${() => this.#state.leave()}>${this.messages.logOut}</button>
      </header>
      <section class="card go" aria-labelledby="go">
        <h2 id="go">${this.messages.goLive}</h2>
        <form @submit=${this.#goLive}>
          <label
            >${this.messages.streamName}
            <input name="streamName" value="my-stream" required maxlength="128" autocomplete="off" spellcheck="false" />
          </label>
          <button class="primary" ?disabled=${this.isBusy}>${this.messages.goLive}</button>
        </form>
        <p class="soft">${this.messages.opensBroadcaster}</p>
        ${this.errorMessage ? html`<p class="error" role="alert">${this.errorMessage}</p>` : nothing}
      </section>
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">${this.messages.publishTokens}</h2>
        ${
          page.tokens.length === 0
            ? html`<p class="soft">${this.messages.noTokens}</p>`
            : html`<ul>
                ${page.tokens.map((token) => this.#row(token, page.accountId))}
              </ul>`
        }
        ${page.pages > 1 ? this.#pages(page) : nothing}
      </section>
      ${this.dialog ? this.#dialogBox(this.dialog) : nothing}
    `;
  }

  #row(token: TokenBody, accountId: string): TemplateResult {
    const name = exactName(token);
    const state = stateOf(token, Date.now());
    const { messages } = this;
    const title = titleOf(token, messages);
    return html`
      <li>
        <div>
          <h3 dir="auto">${title}</h3>
          <p class="facts soft">
            <span class=${state === 'active' ? 'is-on' : 'is-off'}>${messages[state]}</span>
            ${token.label && token.label !== name ? html`<span>${token.label}</span>` : nothing}
            ${token.subscribeRequiresAuth ? html`<span>${messages.needsToken}</span>` : nothing}
            <span>${messages.created(this.#day(token.addedOn))}</span>
            <span>${token.expiresOn ? messages.expires(this.#day(token.expiresOn)) : messages.neverExpires}</span>
          </p>
        </div>
        <div class="actions">
          ${
            name === undefined
              ? nothing
              : html`
                  <a
                    class="button"
                    href=${broadcasterLink(location.origin, { streamName: name, token: token.token })}
                    aria-label=${messages.broadcastThis(name)}
                    >${messages.broadcast}</a
                  >
                  <button
                    ?disabled=${this.isBusy}
                    aria-label=${messages.viewerLinkFor(name)}
                    @click=${() => this.#invite(accountId, name)}
                  >
                    ${messages.viewerLink}
                  </button>
                  <button
                    ?disabled=${this.isBusy}
                    aria-label=${messages.embedThis(name)}
                    @click=${() => this.#embed(accountId, name, token.subscribeRequiresAuth === true)}
                  >
                    ${messages.embed}
                  </button>
                `
          }
          <button
            class="danger"
            aria-label=${messages.deleteToken(title)}
            @click=${() => (this.dialog = { name: 'delete', token })}
          >
            ${messages.delete}
          </button>
        </div>
      </li>
    `;
  }

  #pages({ page, pages, total }: TokenPage): TemplateResult {
    const [current, last, all] = [page, pages, total].map((count) => count.toLocaleString(this.language));
    return html`
      <nav class="pages" aria-label=${this.messages.pagesOfTokens}>
        <button ?disabled=${page === 1} @click=${() => this.#state.turnTo(page - 1)}>${this.messages.newer}</button>
        <span class="soft">${this.messages.pageOf(current!, last!, all!)}</span>
        <button ?disabled=${page >= pages} @click=${() => this.#state.turnTo(page + 1)}>${this.messages.older}</button>
      </nav>
    `;
  }

  #dialogBox(dialog: Dialog): TemplateResult {
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.dialog = undefined)}>${this.#dialogContent(dialog)}</dialog>
    `;
  }

  #dialogContent(dialog: Dialog): TemplateResult {
    switch (dialog.name) {
      case 'invite':
        return html`
          <h2 id="dialog">${this.messages.viewerLinkFor(dialog.streamName)}</h2>
          <p class="soft">${this.messages.linkEffect}</p>
          <copy-field
            .messages=${this.messages.copy}
            .label=${this.messages.viewerLink}
            .value=${dialog.link}
          ></copy-field>
          <div class="actions">
            <a class="button" href=${dialog.link} target="_blank" rel="noopener">${this.messages.open}</a>
            <form method="dialog"><button class="primary">${this.messages.done}</button></form>
          </div>
        `;
      case 'embed':
        return embedDialog(location.origin, dialog, this.messages);
      case 'delete':
        return html`
          <h2 id="dialog">${this.messages.deleteQuestion(titleOf(dialog.token, this.messages))}</h2>
          <p class="soft">${this.messages.deleteEffect}</p>
          ${this.errorMessage ? html`<p class="error" role="alert">${this.errorMessage}</p>` : nothing}
          <div class="actions">
            <form method="dialog"><button autofocus>${this.messages.cancel}</button></form>
            <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#delete(dialog.token)}>
              ${this.messages.delete}
            </button>
          </div>
        `;
    }
  }

  #day(date: string): string {
    return new Date(date).toLocaleDateString(this.language, { dateStyle: 'medium' });
  }

  #goLive(event: SubmitEvent): void {
    event.preventDefault();
    const name = new FormData(event.currentTarget as HTMLFormElement).get('streamName');
    if (typeof name !== 'string' || !name.trim()) return;
    void this.#attempt(async () => location.assign(await this.#state.broadcast(name.trim())));
  }

  #invite(accountId: string, streamName: string): void {
    void this.#attempt(async () => {
      this.dialog = { name: 'invite', streamName, link: await this.#state.invite(accountId, streamName) };
    });
  }

  #embed(accountId: string, streamName: string, isPrivate: boolean): void {
    void this.#attempt(async () => {
      const pinned = await fetchPinnedFile(location.origin);
      this.dialog = { name: 'embed', stream: { accountId, streamName, token: '' }, isPrivate, pinned };
    });
  }

  #delete({ id }: TokenBody): void {
    void this.#attempt(async () => {
      await this.#state.remove(id);
      this.dialog = undefined;
    });
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.errorMessage = '';
    try {
      await act();
    } catch (error) {
      this.errorMessage = error instanceof Error ? error.message : this.messages.unexpected;
    }
    this.isBusy = false;
  }
}

customElements.define('stream-dashboard', StreamDashboard);

declare global {
  interface HTMLElementTagNameMap {
    'stream-dashboard': StreamDashboard;
  }
}
