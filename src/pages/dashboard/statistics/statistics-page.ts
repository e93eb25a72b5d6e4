import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { SessionBody, SessionDetailBody } from '../../../wire/management/session.js';
import type { StreamStatistics, TokenStatistics, TokenStatisticsDetail } from '../../../wire/management/statistics.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import { sessionQualityFacts, streamQuality } from '../quality/quality-facts.js';
import { clockText, hoursText } from '../quantity-text.js';
import '../time-chart.js';
import type { StatisticsMessages } from './messages/statistics-messages.js';
import { rangeNames, StatisticsState, type StatisticsContent, type StreamDetail } from './statistics-state.js';

type Dialog =
  | { readonly name: 'timeline'; readonly session: SessionDetailBody }
  | { readonly name: 'token'; readonly token: TokenStatisticsDetail };

/** What was watched: by stream with its sessions, and by token with its addresses. */
export class StatisticsPage extends DashboardPage<StatisticsMessages, StatisticsContent> {
  @state() private dialog: Dialog | undefined;
  #state: StatisticsState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new StatisticsState({ client: this.client, onChange: (view) => this.show(view) });
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages, view } = this;
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
      ${this.fault && !this.dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${this.dialog ? this.#dialogBox(this.dialog) : nothing}
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
        ${pageButtons(content, { messages: common, language }, (turned) => void this.#state?.load(turned))}
        ${
          streams.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.streams, 'streams.csv', () => this.#state!.streamsCsv())}
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
                ${this.csvButton(messages.tokens, 'tokens-used.csv', () => this.#state!.tokensCsv())}
              </div>`
        }
      </section>
    `;
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
            @click=${() => void this.#state?.select(isShown ? undefined : streamName)}
          >
            ${messages.details}
          </button>
        </td>
      </tr>
    `;
  }

  #detail({ streamName, peaks, total, worst, sessions, next }: StreamDetail): TemplateResult {
    const { messages, language } = this;
    return html`
      <section class="card" aria-labelledby="detail">
        <h2 id="detail"><bdi>${streamName}</bdi></h2>
        <time-chart
          .points=${peaks}
          .label=${messages.chart(total.peakViewers.toLocaleString(language))}
          .language=${language}
        ></time-chart>
        <h3>${messages.quality.experience}</h3>
        ${streamQuality({ quality: total.quality, worst }, { messages: messages.quality, language })}
        <h3>${messages.sessionsOf(streamName)}</h3>
        ${
          sessions.length === 0
            ? html`<p class="soft">${messages.noSessions}</p>`
            : html`<ul>
                ${sessions.map((session) => this.#sessionRow(session))}
              </ul>`
        }
        <div class="actions">
          ${
            next === null
              ? nothing
              : html`<button @click=${() => void this.#state?.loadMore()}>${messages.moreSessions}</button>`
          }
          ${
            sessions.length === 0
              ? nothing
              : this.csvButton(messages.sessionsOf(streamName), 'sessions.csv', () =>
                  this.#state!.sessionsCsv(streamName),
                )
          }
        </div>
      </section>
    `;
  }

  #sessionRow(session: SessionBody): TemplateResult {
    const { messages, language } = this;
    const { role, address, tokenId, openedOn, reason, watchedSeconds, broadcastSeconds, origin, quality } = session;
    const opened = this.#time(openedOn);
    return html`
      <li>
        <div>
          <h4>
            ${role === 'publisher' ? messages.publisher : messages.viewer}
            <bdi>${address ?? messages.unknownAddress}</bdi>
          </h4>
          <p class="facts soft">
            <time datetime=${openedOn}>${opened}</time>
            <span dir="ltr">${clockText(watchedSeconds ?? broadcastSeconds ?? 0)}</span>
            <span>${tokenId === null ? messages.noToken : messages.tokenNumber(String(tokenId))}</span>
            ${
              reason === null
                ? html`<span class="is-on">${messages.open}</span>`
                : html`<span>${this.#ended(reason)}</span>`
            }
            ${sessionQualityFacts(quality, { messages: messages.quality, language })}
            ${origin === null ? nothing : html`<span dir="ltr">${origin}</span>`}
          </p>
        </div>
        <div class="actions">
          <button
            ?disabled=${this.isBusy}
            aria-label=${messages.timelineOf(opened)}
            @click=${() => this.#showTimeline(session)}
          >
            ${messages.timeline}
          </button>
        </div>
      </li>
    `;
  }

  #tokenRow(token: TokenStatistics): TemplateResult {
    const { messages, language } = this;
    const { tokenId, kind, sessions, watchedSeconds, broadcastSeconds, lastUsedOn } = token;
    const hours = (seconds: number | null) => (seconds === null ? '–' : hoursText(seconds, language));
    return html`
      <tr>
        <th scope="row">${tokenId} <span class="soft">${messages.kinds[kind] ?? kind}</span></th>
        <td>${sessions.toLocaleString(language)}</td>
        <td>${hours(watchedSeconds)}</td>
        <td>${hours(broadcastSeconds)}</td>
        <td>${this.#time(lastUsedOn)}</td>
        <td>
          <button
            ?disabled=${this.isBusy}
            aria-label=${messages.addressesOf(String(tokenId))}
            @click=${() => this.#showToken(tokenId)}
          >
            ${messages.addresses}
          </button>
        </td>
      </tr>
    `;
  }

  #dialogBox(dialog: Dialog): TemplateResult {
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.dialog = undefined)}>
        ${dialog.name === 'timeline' ? this.#timeline(dialog.session) : this.#addresses(dialog.token)}
        <div class="actions">
          <form method="dialog"><button class="primary" autofocus>${this.common.done}</button></form>
        </div>
      </dialog>
    `;
  }

  #timeline({ openedOn, events, eventsLeftOut, reason }: SessionDetailBody): TemplateResult {
    const { messages, language } = this;
    const names: Readonly<Record<string, string>> = messages.events;
    return html`
      <h2 id="dialog">${messages.timelineOf(this.#time(openedOn))}</h2>
      <ol class="rules">
        ${events.map(
          ({ time, name }) => html`
            <li>
              <span>${names[name] ?? name}</span>
              <time class="soft" datetime=${time}
                >${new Date(time).toLocaleTimeString(language, { timeStyle: 'medium' })}</time
              >
            </li>
          `,
        )}
      </ol>
      ${
        eventsLeftOut > 0
          ? html`<p class="soft">${messages.leftOut(eventsLeftOut.toLocaleString(language))}</p>`
          : nothing
      }
      ${reason === null ? nothing : html`<p dir="auto">${this.#ended(reason)}</p>`}
    `;
  }

  #addresses({ tokenId, addressCount, addresses }: TokenStatisticsDetail): TemplateResult {
    const { messages, language } = this;
    return html`
      <h2 id="dialog">${messages.addressesOf(String(tokenId))}</h2>
      <p class="soft">${messages.addressCount(addressCount.toLocaleString(language))}</p>
      <ol class="rules">
        ${addresses.map(
          ({ address, sessions, lastUsedOn }) => html`
            <li>
              <span>
                <bdi>${address ?? messages.unknownAddress}</bdi>
                <span class="soft">${messages.sessionCount(sessions.toLocaleString(language))}</span>
              </span>
              <time class="soft" datetime=${lastUsedOn}>${this.#time(lastUsedOn)}</time>
            </li>
          `,
        )}
      </ol>
    `;
  }

  readonly #choose = (event: Event): void => {
    const chosen = rangeNames.find((name) => name === (event.currentTarget as HTMLSelectElement).value);
    if (chosen) void this.#state?.choose(chosen);
  };

  #showTimeline(session: SessionBody): void {
    this.attempt(async () => {
      this.dialog = { name: 'timeline', session: await this.#state!.session(session) };
    });
  }

  #showToken(id: number): void {
    this.attempt(async () => {
      this.dialog = { name: 'token', token: await this.#state!.token(id) };
    });
  }

  #ended(reason: string): string {
    const sentences: Readonly<Record<string, string>> = this.messages.endReasons;
    return this.messages.ended(sentences[reason] ?? reason);
  }

  #time(date: string): string {
    return new Date(date).toLocaleString(this.language, { dateStyle: 'medium', timeStyle: 'short' });
  }
}

customElements.define('statistics-page', StatisticsPage);

declare global {
  interface HTMLElementTagNameMap {
    'statistics-page': StatisticsPage;
  }
}
