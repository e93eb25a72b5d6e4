import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { TokenBody } from '../../wire/management/token.js';
import { broadcasterLink } from '../address.js';
import '../copy-field.js';
import { fetchPinnedFile } from '../pinned-file.js';
import { DashboardState, type DashboardView, type TokenPage } from './dashboard-state.js';
import { embedDialog, type Embedded } from './embed-dialog.js';
import { exactName, stateOf, titleOf } from './token-view.js';

type Dialog =
  | { readonly name: 'delete'; readonly token: TokenBody }
  | { readonly name: 'invite'; readonly streamName: string; readonly link: string }
  | ({ readonly name: 'embed' } & Embedded);

/** The dashboard: goes live with one click, and lists the publish tokens. The styles are those of the page. */
export class StreamDashboard extends LitElement {
  @state() private view: DashboardView = { name: 'loading' };
  @state() private dialog: Dialog | undefined;
  @state() private isBusy = false;
  @state() private errorMessage = '';

  readonly #state = new DashboardState(location.origin, (view) => (this.view = view));

  override connectedCallback(): void {
    super.connectedCallback();
    const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
    // The code must not stay in the address bar or the history.
    if (code) history.replaceState(null, '', location.pathname);
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
        return html`<p class="notice soft" role="status">Loading…</p>`;
      case 'logged-out':
        return html`
          <div class="card notice">
            <h1>Log in</h1>
            ${this.view.message ? html`<p role="alert">${this.view.message}</p>` : nothing}
            <p class="soft">Create a login link in the folder of the server, and open it in this browser:</p>
            <code>npx streamgate dashboard</code>
          </div>
        `;
      case 'failed':
        return html`
          <div class="card notice">
            <h1>The dashboard could not be loaded</h1>
            <p role="alert">${this.view.message}</p>
            <button @click=${() => this.#state.enter('')}>Try again</button>
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
        <button @click=${() => this.#state.leave()}>Log out</button>
      </header>
      <section class="card go" aria-labelledby="go">
        <h2 id="go">Go live</h2>
        <form @submit=${this.#goLive}>
          <label
            >Stream name
            <input name="streamName" value="my-stream" required maxlength="128" autocomplete="off" spellcheck="false" />
          </label>
          <button class="primary" ?disabled=${this.isBusy}>Go live</button>
        </form>
        <p class="soft">Opens the broadcaster in this tab. You are not live before you confirm it there.</p>
        ${this.errorMessage ? html`<p class="error" role="alert">${this.errorMessage}</p>` : nothing}
      </section>
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">Publish tokens</h2>
        ${
          page.tokens.length === 0
            ? html`<p class="soft">No publish tokens yet. Going live creates the first one.</p>`
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
    return html`
      <li>
        <div>
          <h3>${titleOf(token)}</h3>
          <p class="facts soft">
            <span class=${state === 'Active' ? 'is-on' : 'is-off'}>${state}</span>
            ${token.label && token.label !== name ? html`<span>${token.label}</span>` : nothing}
            ${token.subscribeRequiresAuth ? html`<span>Viewers need a token</span>` : nothing}
            <span>Created ${day(token.addedOn)}</span>
            <span>${token.expiresOn ? `Expires ${day(token.expiresOn)}` : 'Never expires'}</span>
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
                    aria-label="Broadcast ${name}"
                    >Broadcast</a
                  >
                  <button
                    ?disabled=${this.isBusy}
                    aria-label="Viewer link for ${name}"
                    @click=${() => this.#invite(accountId, name)}
                  >
                    Viewer link
                  </button>
                  <button
                    ?disabled=${this.isBusy}
                    aria-label="Embed ${name}"
                    @click=${() => this.#embed(accountId, name, token.subscribeRequiresAuth === true)}
                  >
                    Embed
                  </button>
                `
          }
          <button
            class="danger"
            aria-label="Delete the token for ${titleOf(token)}"
            @click=${() => (this.dialog = { name: 'delete', token })}
          >
            Delete
          </button>
        </div>
      </li>
    `;
  }

  #pages({ page, pages, total }: TokenPage): TemplateResult {
    return html`
      <nav class="pages" aria-label="Pages of tokens">
        <button ?disabled=${page === 1} @click=${() => this.#state.turnTo(page - 1)}>Newer</button>
        <span class="soft">Page ${page} of ${pages}, ${total} tokens</span>
        <button ?disabled=${page >= pages} @click=${() => this.#state.turnTo(page + 1)}>Older</button>
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
          <h2 id="dialog">Viewer link for ${dialog.streamName}</h2>
          <p class="soft">
            Everyone with this link can watch the stream, or wait for its start. The link contains its own token.
          </p>
          <copy-field label="Viewer link" .value=${dialog.link}></copy-field>
          <div class="actions">
            <a class="button" href=${dialog.link} target="_blank" rel="noopener">Open</a>
            <form method="dialog"><button class="primary">Done</button></form>
          </div>
        `;
      case 'embed':
        return embedDialog(location.origin, dialog);
      case 'delete':
        return html`
          <h2 id="dialog">Delete the token for ${titleOf(dialog.token)}?</h2>
          <p class="soft">Links with this token stop working. You cannot undo this.</p>
          ${this.errorMessage ? html`<p class="error" role="alert">${this.errorMessage}</p>` : nothing}
          <div class="actions">
            <form method="dialog"><button autofocus>Cancel</button></form>
            <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#delete(dialog.token)}>Delete</button>
          </div>
        `;
    }
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
      this.errorMessage = error instanceof Error ? error.message : 'An unexpected error occurred.';
    }
    this.isBusy = false;
  }
}

const day = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium' });

customElements.define('stream-dashboard', StreamDashboard);

declare global {
  interface HTMLElementTagNameMap {
    'stream-dashboard': StreamDashboard;
  }
}
