import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { SessionBody } from '../../../wire/management/session.js';
import type { StreamStatistics, TokenStatistics } from '../../../wire/management/statistics.js';
import { DashboardPage } from '../dashboard-page.js';
import { dateTimeText, hoursText } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import { oneOf, pageNumber } from '../page-query.js';
import { tokenWord } from '../token-word.js';
import type { StatisticsMessages } from './messages/statistics-messages.js';
import { statisticsDialog, type StatisticsDialog } from './statistics-dialog.js';
import {
  rangeNames,
  StatisticsState,
  USUAL_RANGE,
  type RangeName,
  type StatisticsContent,
  type StreamDetail,
} from './statistics-state.js';
import { streamDetail } from './stream-detail.js';

/** What was watched: by stream with its sessions, and by token with its addresses. */
export class StatisticsPage extends DashboardPage<StatisticsMessages, StatisticsContent, StatisticsDialog> {
  @state() private range: RangeName = USUAL_RANGE;
  #state!: StatisticsState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new StatisticsState({ client: this.client, onChange: (view) => this.show(view) });
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    this.range = oneOf(query, 'range', rangeNames) ?? USUAL_RANGE;
    void this.#state.load({
      range: this.range,
      page: pageNumber(query),
      streamName: query.get('stream') ?? undefined,
    });
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
            (name) => html`<option value=${name} .selected=${name === this.range}>${messages.ranges[name]}</option>`,
          )}
        </select>
      </label>
      ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => this.follow(this.query),
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
                [messages.stream, messages.peak, messages.sessions, messages.watched, messages.onAir, ''],
                streams.map((stream) => this.#streamRow(stream, content)),
              )
        }
        ${pageButtons(content, { messages: common, language }, (page) => this.#turnTo({ page }))}
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

  /**
   * A table whose rows are cards on narrow screens, where each cell says its heading. The first cell of a row names it. An
   * empty heading stands over buttons. With roles, because browsers forget those of tables that are not laid out as such.
   */
  #table(headings: readonly string[], rows: readonly (readonly unknown[])[]): TemplateResult {
    return html`
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row">
            ${headings.map((heading) =>
              heading ? html`<th scope="col" role="columnheader">${heading}</th>` : html`<td role="cell"></td>`,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map(
            ([name, ...cells]) => html`
              <tr role="row">
                <th scope="row" role="rowheader">${name}</th>
                ${cells.map((cell, index) => html`<td role="cell" data-heading=${headings[index + 1] ?? ''}>${cell}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    `;
  }

  #streamRow(stream: StreamStatistics, { detail, page }: StatisticsContent): readonly unknown[] {
    const { messages, language } = this;
    const { streamName } = stream;
    const isShown = detail?.streamName === streamName;
    return [
      html`<bdi>${streamName}</bdi>`,
      stream.peakViewers.toLocaleString(language),
      stream.viewerSessions.toLocaleString(language),
      hoursText(stream.watchedSeconds, language),
      hoursText(stream.broadcastSeconds, language),
      html`
        <button
          aria-label=${messages.detailsOf(streamName)}
          aria-expanded=${isShown}
          @click=${() => this.#turnTo({ stream: isShown ? undefined : streamName }, page)}
        >
          ${messages.details}
        </button>
      `,
    ];
  }

  #tokenRow(token: TokenStatistics): readonly unknown[] {
    const { messages, common, language } = this;
    const { tokenId, tokenLabel, kind, sessions, watchedSeconds, broadcastSeconds, lastUsedOn } = token;
    const hours = (seconds: number | null) => (seconds === null ? '–' : hoursText(seconds, language));
    return [
      html`
        <bdi>${tokenLabel || messages.tokenNumber(String(tokenId))}</bdi>
        <span class="soft">${messages.kinds[kind] ?? kind}</span>
      `,
      sessions.toLocaleString(language),
      hours(watchedSeconds),
      hours(broadcastSeconds),
      dateTimeText(lastUsedOn, language),
      html`
        <button
          ?disabled=${this.changes.isBusy}
          aria-label=${messages.addressesOf(tokenWord(token, common))}
          @click=${() => this.#showToken(tokenId)}
        >
          ${messages.addresses}
        </button>
      `,
    ];
  }

  /** In the time that is shown. */
  #turnTo({ stream, page }: { readonly stream?: string | undefined; readonly page?: number }, present = 1): void {
    this.turn({ range: this.range === USUAL_RANGE ? undefined : this.range, page: page ?? present, stream });
  }

  readonly #choose = (event: Event): void => {
    const chosen = rangeNames.find((name) => name === (event.currentTarget as HTMLSelectElement).value);
    this.range = chosen ?? USUAL_RANGE;
    this.#turnTo({});
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
