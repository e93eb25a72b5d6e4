import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { StreamStatistics } from '../../../wire/management/statistics.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { broadcasterLink } from '../../address.js';
import '../../copy-field.js';
import { fetchPinnedFile } from '../../pinned-file.js';
import { DashboardPage } from '../dashboard-page.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import { hoursText, percentText } from '../quantity-text.js';
import { pathOf } from '../routes.js';
import { embedDialog, type Embedded } from './embed-dialog.js';
import { HomeState, type TokenPage } from './home-state.js';
import { exactName, stateOf, titleOf } from './token-view.js';

type Dialog =
  | { readonly name: 'delete'; readonly token: TokenBody }
  | { readonly name: 'invite'; readonly streamName: string; readonly link: string }
  | ({ readonly name: 'embed' } & Embedded);

/** The first page: goes live with one click, and lists the publish tokens. */
export class HomePage extends DashboardPage<DashboardMessages, TokenPage> {
  @property({ attribute: false }) accountId = '';
  @state() private dialog: Dialog | undefined;
  #state: HomeState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new HomeState(this.client, (view) => this.show(view));
    void this.#state?.load();
  }

  protected override render(): TemplateResult {
    return html`
      <h1 tabindex="-1" class="visually-hidden">${this.messages.pages.home}</h1>
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
        ${this.fault && !this.dialog ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      </section>
      ${
        this.view.name === 'ready'
          ? html`${this.#results(this.view.results)} ${this.#tokens(this.view)}`
          : unreadyContent(this.view, this.common, () => void this.#state?.load())
      }
      ${this.dialog ? this.#dialogBox(this.dialog) : nothing}
    `;
  }

  #results(results: readonly StreamStatistics[]): TemplateResult | typeof nothing {
    if (results.length === 0) return nothing;
    const { title, all } = this.messages.results;
    return html`
      <section class="card" aria-labelledby="results">
        <h2 id="results">${title}</h2>
        <ul>
          ${results.map((result) => this.#result(result))}
        </ul>
        <div class="actions">
          <a class="button" href=${pathOf('statistics') + location.search}>${all}</a>
        </div>
      </section>
    `;
  }

  #result({ streamName, broadcastSeconds, peakViewers, watchedSeconds, quality }: StreamStatistics): TemplateResult {
    const { language } = this;
    const { onAir, viewers, watched, frozen } = this.messages.results;
    return html`
      <li>
        <div>
          <h3><bdi>${streamName}</bdi></h3>
          <p class="facts soft">
            <span>${onAir(hoursText(broadcastSeconds, language))}</span>
            <span>${viewers(peakViewers.toLocaleString(language))}</span>
            <span>${watched(hoursText(watchedSeconds, language))}</span>
            ${
              quality && quality.playedSeconds > 0
                ? html`<span>${frozen(percentText(quality.frozenSeconds / quality.playedSeconds, language))}</span>`
                : nothing
            }
          </p>
        </div>
      </li>
    `;
  }

  #tokens(page: TokenPage): TemplateResult {
    const { common, language } = this;
    return html`
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">${this.messages.publishTokens}</h2>
        ${
          page.tokens.length === 0
            ? html`<p class="soft">${this.messages.noTokens}</p>`
            : html`<ul>
                ${page.tokens.map((token) => this.#row(token, this.accountId))}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (turned) => void this.#state?.load(turned))}
      </section>
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
          <h3><bdi>${title}</bdi></h3>
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
                    href=${broadcasterLink(location.origin, { accountId, streamName: name, token: token.token })}
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
          ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
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
    this.attempt(async () => location.assign(await this.#state!.broadcast(this.accountId, name.trim())));
  }

  #invite(accountId: string, streamName: string): void {
    this.attempt(async () => {
      this.dialog = { name: 'invite', streamName, link: await this.#state!.invite(accountId, streamName) };
    });
  }

  #embed(accountId: string, streamName: string, isPrivate: boolean): void {
    this.attempt(async () => {
      const pinned = await fetchPinnedFile(location.origin);
      this.dialog = { name: 'embed', stream: { accountId, streamName, token: '' }, isPrivate, pinned };
    });
  }

  #delete({ id }: TokenBody): void {
    this.attempt(async () => {
      await this.#state!.remove(id);
      this.dialog = undefined;
    });
  }
}

customElements.define('home-page', HomePage);

declare global {
  interface HTMLElementTagNameMap {
    'home-page': HomePage;
  }
}
