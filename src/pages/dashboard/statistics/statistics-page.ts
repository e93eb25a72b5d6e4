import { html, nothing, type TemplateResult } from 'lit';
import type { SessionBody } from '../../../wire/management/session.js';
import type { StreamStatistics, TokenStatistics } from '../../../wire/management/statistics.js';
import { DashboardPage } from '../dashboard-page.js';
import { dateTimeText, hoursText } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import { tokenWord } from '../token-word.js';
import type { StatisticsMessages } from './messages/statistics-messages.js';
import { statisticsDialog, type StatisticsDialog } from './statistics-dialog.js';
import { rangeNames, StatisticsState, type StatisticsContent, type StreamDetail } from './statistics-state.js';
import { streamDetail } from './stream-detail.js';

/** What was watched: by stream with its sessions, and by token with its addresses. */
export class StatisticsPage extends DashboardPage<StatisticsMessages, StatisticsContent, StatisticsDialog> {
  #state!: StatisticsState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new StatisticsState({ client: this.client, onChange: (view) => this.show(view) });
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages, texts } = this;
    return html`
      <h1 tabindex="-1">${messages.statistics}</h1>
      <p class="soft">${messages.purpose}</p>
      <label class="range"
        >${messages.time}
        <select @change=${this.#choose}>
          ${rangeNames.map(
            (name) => html`<option value=${name} ?selected=${name === 'week'}>${messages.ranges[name]}</option>`,
          )}
        </select>
      </label>
      ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => void this.#state.load(),
      )}
      ${this.dialog.render((dialog) => statisticsDialog(dialog, texts))}
    `;
  }

  #content(content: StatisticsContent): TemplateResult {
    const { messages, common, language } = this;
    const { streams, tokens, detail } = content;
    return html`
      <section class="card" aria-labelledby="streams">
        <h2 id="streams">${messages.streams}</h2>
        ${
          streams.length === 0
            ? html`<p class="soft">${messages.none}</p>`
            : this.#table(
                messages.streams,
                [messages.stream, messages.peak, messages.sessions, messages.watched, messages.onAir, ''],
                streams.map((stream) => this.#streamRow(stream, detail)),
              )
        }
        ${pageButtons(content, { messages: common, language }, (turned) => void this.#state.load(turned))}
        ${
          streams.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.streams, 'streams.csv', () => this.#state.streamsCsv())}
              </div>`
        }
      </section>
      ${detail ? this.#detail(detail) : nothing}
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">${messages.tokens}</h2>
        ${
          tokens.length === 0
            ? html`<p class="soft">${messages.noTokens}</p>`
            : this.#table(
                messages.tokens,
                [messages.token, messages.allSessions, messages.watched, messages.onAir, messages.lastUsed, ''],
                tokens.map((token) => this.#tokenRow(token)),
              )
        }
        ${
          tokens.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.tokens, 'tokens-used.csv', () => this.#state.tokensCsv())}
              </div>`
        }
      </section>
    `;
  }

  #detail(detail: StreamDetail): TemplateResult {
    const { messages, texts } = this;
    const { streamName } = detail;
    return streamDetail(detail, {
      texts,
      isBusy: this.changes.isBusy,
      onTimeline: (session) => this.#showTimeline(session),
      onMore: () => void this.#state.loadMore(),
      csvButton: this.csvButton(messages.sessionsOf(streamName), 'sessions.csv', () =>
        this.#state.sessionsCsv(streamName),
      ),
    });
  }

  /** A table that scrolls by itself on narrow screens. An empty heading stands over buttons. */
  #table(name: string, headings: readonly string[], rows: readonly TemplateResult[]): TemplateResult {
    return html`
      <div class="scroll" tabindex="0" role="group" aria-label=${name}>
        <table>
          <thead>
            <tr>
              ${headings.map((heading) => (heading ? html`<th scope="col">${heading}</th>` : html`<td></td>`))}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>
    `;
  }

  #streamRow(stream: StreamStatistics, detail: StreamDetail | undefined): TemplateResult {
    const { messages, language } = this;
    const { streamName } = stream;
    const isShown = detail?.streamName === streamName;
    return html`
      <tr>
        <th scope="row"><bdi>${streamName}</bdi></th>
        <td>${stream.peakViewers.toLocaleString(language)}</td>
        <td>${stream.viewerSessions.toLocaleString(language)}</td>
        <td>${hoursText(stream.watchedSeconds, language)}</td>
        <td>${hoursText(stream.broadcastSeconds, language)}</td>
        <td>
          <button
            aria-label=${messages.detailsOf(streamName)}
            aria-expanded=${isShown}
            @click=${() => void this.#state.select(isShown ? undefined : streamName)}
          >
            ${messages.details}
          </button>
        </td>
      </tr>
    `;
  }

  #tokenRow(token: TokenStatistics): TemplateResult {
    const { messages, common, language } = this;
    const { tokenId, tokenLabel, kind, sessions, watchedSeconds, broadcastSeconds, lastUsedOn } = token;
    const hours = (seconds: number | null) => (seconds === null ? '–' : hoursText(seconds, language));
    return html`
      <tr>
        <th scope="row">
          <bdi>${tokenLabel || messages.tokenNumber(String(tokenId))}</bdi>
          <span class="soft">${messages.kinds[kind] ?? kind}</span>
        </th>
        <td>${sessions.toLocaleString(language)}</td>
        <td>${hours(watchedSeconds)}</td>
        <td>${hours(broadcastSeconds)}</td>
        <td>${dateTimeText(lastUsedOn, language)}</td>
        <td>
          <button
            ?disabled=${this.changes.isBusy}
            aria-label=${messages.addressesOf(tokenWord(token, common))}
            @click=${() => this.#showToken(tokenId)}
          >
            ${messages.addresses}
          </button>
        </td>
      </tr>
    `;
  }

  readonly #choose = (event: Event): void => {
    const chosen = rangeNames.find((name) => name === (event.currentTarget as HTMLSelectElement).value);
    if (chosen) void this.#state.choose(chosen);
  };

  #showTimeline(session: SessionBody): void {
    this.changes.attempt(async () => {
      this.dialog.open({ name: 'timeline', session: await this.#state.session(session) });
    });
  }

  #showToken(id: number): void {
    this.changes.attempt(async () => {
      this.dialog.open({ name: 'token', token: await this.#state.token(id) });
    });
  }
}

customElements.define('statistics-page', StatisticsPage);

declare global {
  interface HTMLElementTagNameMap {
    'statistics-page': StatisticsPage;
  }
}
