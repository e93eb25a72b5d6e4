import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { StreamStatistics } from '../../../wire/management/statistics.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { broadcasterLink } from '../../address.js';
import '../../copy-field.js';
import { TOKEN_PLACE } from '../../embed-code.js';
import { fetchPinnedFile } from '../../pinned-file.js';
import { streamToLink } from '../../viewer-link-path.js';
import { DashboardPage } from '../dashboard-page.js';
import { confirmation } from '../dialog-contents.js';
import { dateTimeText, dayText, hoursText, percentText } from '../formatting.js';
import { LiveState, type LiveView } from '../live/live-state.js';
import type { LiveMessages } from '../live/messages/live-messages.js';
import type { PageTexts } from '../page-context.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import { pageButtons } from '../page-buttons.js';
import { commonSearch, pageNumber } from '../page-query.js';
import type { PageView } from '../page-view.js';
import { pathOf } from '../routes.js';
import { SignInState, type SignInContent } from '../security/sign-in-state.js';
import { embedDialog, type Embedded } from './embed-dialog.js';
import { HomeState, type TokenPage } from './home-state.js';
import type * as OnAir from './on-air.js';
import { fetchServerReports, type ServerReport } from './server-report.js';
import { exactName, stateOf, titleOf } from './token-view.js';
import { needsWayBack, wayBackCard } from './way-back.js';
import { lifetimeOf, viewerLinkDialog, type ViewerLinkDraft } from './viewer-link-dialog.js';

type OnAirPart = typeof OnAir & { readonly messages: LiveMessages };
type StopQuestion = OnAir.StopQuestion;

type HomeDialog =
  | ({ readonly name: 'stop'; readonly part: OnAirPart } & StopQuestion)
  | { readonly name: 'delete'; readonly token: TokenBody }
  | ({ readonly name: 'viewer-link' } & ViewerLinkDraft)
  | ({ readonly name: 'embed' } & Embedded);

/** The first page: goes live with one click, shows what is on air, and lists the publish tokens. */
export class HomePage extends DashboardPage<DashboardMessages, TokenPage, HomeDialog> {
  /** Its code and texts, which a first paint with nothing on air does not wait for. */
  @state() private onAirPart: OnAirPart | undefined;
  @state() private onAir: LiveView = { name: 'loading' };
  @state() private needsWayBack = false;
  #state!: HomeState;
  #live!: LiveState;

  override connectedCallback(): void {
    super.connectedCallback();
    const reports = async () => (this.may('account') ? fetchServerReports(location.origin) : []);
    this.#state = new HomeState(this.client, (view) => this.show(view), reports);
    const { accountId, memberName } = this.context;
    const onChange = (view: LiveView) => {
      this.onAir = view;
      if (view.name === 'ready' && view.streams.length > 0 && !this.onAirPart) this.#loadOnAir();
    };
    this.#live = new LiveState({ client: this.client, accountId, mayReadLimits: false, onChange });
    this.#live.start();
    void this.#live.load();
    const onWays = (view: PageView<SignInContent>) => (this.needsWayBack = needsWayBack(view, location.hostname));
    void new SignInState(this.client, onWays, memberName !== null).load();
    this.follow(this.query);
    const streamName = takeStreamToLink();
    if (streamName) this.#showLink(streamName);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('messages') && this.onAirPart) this.#loadOnAir();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#live.stop();
  }

  protected override follow(query: URLSearchParams): void {
    void this.#state.load(pageNumber(query));
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
          <button class="primary" ?disabled=${this.changes.isBusy}>${this.messages.goLive}</button>
        </form>
        <p class="soft">${this.messages.opensBroadcaster}</p>
        ${this.dialog.isOpen ? nothing : this.changes.alert()}
      </section>
      ${this.changes.status()} ${this.#whatIsOnAir()} ${this.needsWayBack ? wayBackCard(this.messages) : nothing}
      ${this.whenReady(
        (page) => html`${this.#results(page.results)} ${this.#tokens(page)} ${this.#reports(page.reports)}`,
        () => this.follow(this.query),
      )}
      ${this.dialog.render((dialog) => this.#dialogContent(dialog))}
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
          <a class="button" href=${pathOf('statistics') + commonSearch(location.search)}>${all}</a>
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

  /** The sentences are the server's own, in English. */
  #reports(reports: readonly ServerReport[]): TemplateResult | typeof nothing {
    if (reports.length === 0) return nothing;
    const { title, whatToDo } = this.messages.serverReports;
    return html`
      <section class="card" aria-labelledby="reports">
        <h2 id="reports">${title}</h2>
        <ul>
          ${reports.map(
            ({ code, message }) => html`
              <li>
                <p lang="en" dir="ltr">${message}</p>
                <div class="actions">
                  <a class="button" href="/errors/${code}" aria-label="${whatToDo}: ${code}">${whatToDo}</a>
                </div>
              </li>
            `,
          )}
        </ul>
      </section>
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
                ${page.tokens.map((token) => this.#row(token, this.context.accountId))}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (turned) => this.turn({ page: turned }))}
      </section>
    `;
  }

  #row(token: TokenBody, accountId: string): TemplateResult {
    const name = exactName(token);
    const state = stateOf(token, Date.now());
    const { messages, language } = this;
    const title = titleOf(token, messages);
    return html`
      <li>
        <div>
          <h3><bdi>${title}</bdi></h3>
          <p class="facts soft">
            <span class=${state === 'active' ? 'is-on' : 'is-off'}>${messages[state]}</span>
            ${token.label && token.label !== name ? html`<span>${token.label}</span>` : nothing}
            ${token.subscribeRequiresAuth ? html`<span>${messages.needsToken}</span>` : nothing}
            ${
              token.fault
                ? nothing
                : html`
                    <span>${messages.created(dayText(token.addedOn, language))}</span>
                    <span
                      >${token.expiresOn ? messages.expires(dateTimeText(token.expiresOn, language)) : messages.neverExpires}</span
                    >
                  `
            }
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
                    ?disabled=${this.changes.isBusy}
                    aria-label=${messages.viewerLinkFor(name)}
                    @click=${() => this.#showLink(name)}
                  >
                    ${messages.viewerLink}
                  </button>
                  <button
                    ?disabled=${this.changes.isBusy}
                    aria-label=${messages.embedThis(name)}
                    @click=${() => this.#embed(name, token)}
                  >
                    ${messages.embed}
                  </button>
                `
          }
          <button
            class="danger"
            aria-label=${messages.deleteToken(title)}
            @click=${() => this.dialog.open({ name: 'delete', token })}
          >
            ${messages.delete}
          </button>
        </div>
      </li>
    `;
  }

  #dialogContent(dialog: HomeDialog): TemplateResult {
    const { messages, common, changes } = this;
    switch (dialog.name) {
      case 'viewer-link':
        return viewerLinkDialog(
          dialog,
          { origin: location.origin, accountId: this.context.accountId, language: this.language },
          {
            changes,
            onSubmit: (event) => this.#createLink(event, dialog),
            onCancel: () => this.dialog.close(),
            onAnother: () => this.dialog.replace(dialog, { ...dialog, token: undefined }),
          },
          messages,
        );
      case 'stop':
        return dialog.part.stopQuestion(dialog, this.#liveTexts(dialog.part), changes, () => this.#stop(dialog));
      case 'embed':
        return embedDialog(location.origin, dialog, messages);
      case 'delete':
        return confirmation(
          {
            title: messages.deleteQuestion(titleOf(dialog.token, messages)),
            effect: messages.deleteEffect,
            action: messages.delete,
          },
          { changes, common, onConfirm: () => this.#delete(dialog.token) },
        );
    }
  }

  /** If it cannot be loaded, the next look at what is on air loads it again. */
  #loadOnAir(): void {
    const { language } = this;
    Promise.all([import('./on-air.js'), import('../live/messages/translations.js')])
      .then(async ([part, { liveMessages }]) => ({ ...part, messages: await liveMessages(language) }))
      .then(
        (part) => language === this.language && (this.onAirPart = part),
        () => {},
      );
  }

  #whatIsOnAir(): TemplateResult | typeof nothing {
    const part = this.onAirPart;
    if (!part) return nothing;
    const onStop = (question: StopQuestion) => void this.dialog.open({ name: 'stop', part, ...question });
    return part.onAirCard(this.onAir, {
      texts: this.#liveTexts(part),
      onStop: this.may('streams') ? onStop : undefined,
    });
  }

  #liveTexts({ messages }: OnAirPart): PageTexts<LiveMessages> {
    return { ...this.texts, messages };
  }

  #stop({ streamName, part }: StopQuestion & { readonly part: OnAirPart }): void {
    this.changes.attempt(async () => {
      await this.#live.stopStream(streamName);
      this.dialog.close();
      return part.messages.stopped(streamName);
    });
  }

  #goLive(event: SubmitEvent): void {
    event.preventDefault();
    const name = new FormData(event.currentTarget as HTMLFormElement).get('streamName');
    if (typeof name !== 'string' || !name.trim()) return;
    this.changes.attempt(async () => location.assign(await this.#state.broadcast(this.context.accountId, name.trim())));
  }

  #showLink(streamName: string): void {
    this.changes.attempt(async () => {
      this.showNewValue({ name: 'viewer-link', ...(await this.#state.viewerLink(streamName)) });
    });
  }

  #createLink(event: SubmitEvent, draft: ViewerLinkDraft): void {
    event.preventDefault();
    const lifetime = lifetimeOf(new FormData(event.currentTarget as HTMLFormElement));
    this.changes.attempt(async () => {
      this.showNewValue({ name: 'viewer-link', ...(await this.#state.createViewerLink(draft, lifetime)) });
    });
  }

  #embed(streamName: string, { subscribeRequiresAuth: isPrivate = false, record: dvr }: TokenBody): void {
    const { accountId } = this.context;
    this.changes.attempt(async () => {
      const pinned = await fetchPinnedFile(location.origin);
      const stream = { accountId, streamName, token: isPrivate ? TOKEN_PLACE : '', dvr };
      this.dialog.open({ name: 'embed', stream, isPrivate, pinned });
    });
  }

  #delete({ id }: TokenBody): void {
    this.changes.attempt(async () => {
      await this.#state.remove(id);
      this.dialog.close();
    });
  }
}

/** The stream whose link for viewers the address asks for. It does not stay there, so that a reload shows the page. */
function takeStreamToLink(): string {
  const streamName = streamToLink(location.search);
  if (streamName) history.replaceState(null, '', location.pathname + commonSearch(location.search));
  return streamName;
}

customElements.define('home-page', HomePage);

declare global {
  interface HTMLElementTagNameMap {
    'home-page': HomePage;
  }
}
