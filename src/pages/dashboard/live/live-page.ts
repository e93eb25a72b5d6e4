import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import type { SessionBody } from '../../../wire/management/session.js';
import { DashboardPage } from '../dashboard-page.js';
import { unreadyContent } from '../page-view.js';
import { sessionQualityFacts } from '../quality/quality-facts.js';
import { bitrateText, clockText, percentText } from '../quantity-text.js';
import '../time-chart.js';
import { LiveState, type LiveContent, type StreamViewers } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';

type Source = LiveStreamBody['sources'][number];

/** Viewers see such a loss, because not all of it can be sent again in time. */
const MUCH_LOSS = 0.03;
/** As people write them. Others are shown as they are. */
const CODEC_NAMES: Readonly<Record<string, string>> = {
  h264: 'H.264',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  opus: 'Opus',
};

const codecName = (codec: string): string => CODEC_NAMES[codec] ?? codec;

type Question =
  | { readonly name: 'stop-stream'; readonly streamName: string }
  | { readonly name: 'stop-session'; readonly session: SessionBody };

/** What is live now, with its sources, its viewers, and the ways to end both. */
export class LivePage extends DashboardPage<LiveMessages, LiveContent> {
  @property({ attribute: false }) accountId = '';
  @state() private question: Question | undefined;
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  #state: LiveState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const { client, accountId } = this;
    this.#state = new LiveState({ client, accountId, onChange: (view) => this.show(view) });
    this.#state.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#state?.stop();
  }

  protected override render(): TemplateResult {
    const { messages, view } = this;
    return html`
      <h1 tabindex="-1">${messages.live}</h1>
      <p class="soft">${messages.purpose}</p>
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done}</p>
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${this.question ? this.#dialog(this.question) : nothing}
    `;
  }

  #content({ streams, viewers, readOn, isStale }: LiveContent): TemplateResult {
    const { messages } = this;
    return html`
      ${
        isStale ? html`<p class="card error" role="alert">${messages.stale(this.#time(readOn, 'medium'))}</p>` : nothing
      }
      ${
        streams.length === 0
          ? html`<p class="card soft">${messages.none}</p>`
          : streams.map((stream) => this.#stream(stream, viewers, readOn))
      }
    `;
  }

  #stream(stream: LiveStreamBody, viewers: StreamViewers | undefined, readOn: number): TemplateResult {
    const { messages, language } = this;
    const { streamName, liveSince, viewersOverTime, sources } = stream;
    const begun = Date.parse(liveSince);
    const points = viewersOverTime.map((point) => ({ time: Date.parse(point.time), value: point.viewers }));
    const most = points.reduce((peak, { value }) => Math.max(peak, value), 0);
    const isOpen = viewers?.streamName === streamName;
    return html`
      <section class="card stream" aria-label=${streamName}>
        <div class="heading">
          <div>
            <h2 class="entry"><bdi>${streamName}</bdi></h2>
            <p class="facts soft">
              <span>${messages.onAir(this.#time(begun, 'short'), clockText((readOn - begun) / 1000))}</span>
              <strong>${messages.viewers(stream.viewers.toLocaleString(language))}</strong>
            </p>
          </div>
          <div class="actions">
            <button aria-expanded=${isOpen} @click=${() => void this.#state?.select(isOpen ? undefined : streamName)}>
              ${isOpen ? messages.hideViewers : messages.showViewers}
            </button>
            <button
              aria-label=${messages.stopThis(streamName)}
              @click=${() => this.#ask({ name: 'stop-stream', streamName })}
            >
              ${messages.stop}
            </button>
          </div>
        </div>
        <time-chart
          .points=${[...points, { time: readOn, value: stream.viewers }]}
          .label=${messages.chart(most.toLocaleString(language))}
          .language=${language}
        ></time-chart>
        ${sources.map((source) => this.#source(source))} ${isOpen ? this.#viewers(viewers, readOn) : nothing}
      </section>
    `;
  }

  #source(source: Source): TemplateResult {
    const { messages, language } = this;
    const name = source.sourceId === null ? messages.mainSource : messages.source(source.sourceId);
    return html`
      <div class="source">
        <h3><bdi>${name}</bdi></h3>
        <p class="facts soft">
          <span>${messages.token(String(source.tokenId))}</span>
          ${source.tracks.map((kind) => html`<span>${messages.tracks[kind] ?? kind}</span>`)}
          <span>${bitrateText(source.videoBitrate, language)}</span>
          ${this.#reception(source.reception)}
        </p>
        ${source.connected ? nothing : html`<p class="error">${messages.lost}</p>`}
        ${
          source.encodings.length === 0
            ? nothing
            : html`
                <div class="scroll" tabindex="0" role="group" aria-label=${`${messages.encodings}: ${name}`}>
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">${messages.encodings}</th>
                        <th scope="col">${messages.size}</th>
                        <th scope="col">${messages.bitrate}</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${source.encodings.map(
                        ({ id, active, width, height, bitrate }) => html`
                          <tr>
                            <th scope="row"><bdi>${id}</bdi></th>
                            <td><bdi>${height > 0 ? `${width} × ${height}` : messages.unknownSize}</bdi></td>
                            <td>${active ? bitrateText(bitrate, language) : messages.notReceived}</td>
                          </tr>
                        `,
                      )}
                    </tbody>
                  </table>
                </div>
              `
        }
      </div>
    `;
  }

  #reception(reception: Source['reception']): TemplateResult | typeof nothing {
    if (!reception) return nothing;
    const { messages, language } = this;
    const { videoCodec, audioCodec, loss } = reception;
    const codecs = [videoCodec, audioCodec].filter((codec) => codec !== null).map(codecName);
    return html`
      <span dir="ltr">${codecs.join(' + ')}</span>
      ${
        loss === null
          ? nothing
          : html`<span class=${loss > MUCH_LOSS ? 'is-off' : ''}
              >${messages.lostPackets(percentText(loss, language))}</span
            >`
      }
      ${loss !== null && loss > MUCH_LOSS ? html`<span class="is-off">${messages.weakUpload}</span>` : nothing}
    `;
  }

  #viewers({ streamName, sessions, hasMore }: StreamViewers, readOn: number): TemplateResult {
    const { messages } = this;
    return html`
      <div class="viewers">
        <h3>${messages.viewersOf(streamName)}</h3>
        ${
          sessions.length === 0
            ? html`<p class="soft">${messages.noViewers}</p>`
            : html`<ul>
                ${sessions.map((session) => this.#viewer(session, readOn))}
              </ul>`
        }
        ${hasMore ? html`<p class="soft">${messages.moreViewers}</p>` : nothing}
      </div>
    `;
  }

  #viewer(session: SessionBody, readOn: number): TemplateResult {
    const { messages, language } = this;
    const { tokenId, openedOn, firstMediaOn, reconnects, origin, quality } = session;
    const opened = Date.parse(openedOn);
    const address = session.address ?? messages.unknownAddress;
    return html`
      <li>
        <div>
          <h4><bdi>${address}</bdi></h4>
          <p class="facts soft">
            <span>${tokenId === null ? messages.noToken : messages.token(String(tokenId))}</span>
            <span>${messages.watchingSince(this.#time(opened, 'short'), clockText((readOn - opened) / 1000))}</span>
            ${firstMediaOn === null ? html`<span>${messages.noPicture}</span>` : nothing}
            ${reconnects > 0 ? html`<span>${messages.reconnects(reconnects.toLocaleString(language))}</span>` : nothing}
            ${sessionQualityFacts(quality, { messages: messages.quality, language })}
            ${origin === null ? nothing : html`<span dir="ltr">${origin}</span>`}
          </p>
        </div>
        <div class="actions">
          <button
            aria-label=${messages.disconnectThis(address)}
            @click=${() => this.#ask({ name: 'stop-session', session })}
          >
            ${messages.disconnect}
          </button>
        </div>
      </li>
    `;
  }

  #dialog(question: Question): TemplateResult {
    const { messages, common } = this;
    const address = question.name === 'stop-session' ? (question.session.address ?? messages.unknownAddress) : '';
    const { title, effect, action } =
      question.name === 'stop-stream'
        ? { title: messages.stopQuestion(question.streamName), effect: messages.stopEffect, action: messages.stop }
        : {
            title: messages.disconnectQuestion(address),
            effect: messages.disconnectEffect,
            action: messages.disconnect,
          };
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.question = undefined)}>
        <h2 id="dialog" dir="auto">${title}</h2>
        <p class="soft">${effect}</p>
        ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
        <div class="actions">
          <form method="dialog"><button autofocus>${common.cancel}</button></form>
          <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#confirm(question)}>${action}</button>
        </div>
      </dialog>
    `;
  }

  #ask(question: Question): void {
    this.done = '';
    this.fault = '';
    this.question = question;
  }

  #confirm(question: Question): void {
    this.attempt(async () => {
      if (question.name === 'stop-stream') {
        await this.#state!.stopStream(question.streamName);
        this.done = this.messages.stopped(question.streamName);
      } else {
        await this.#state!.stopSession(question.session);
        this.done = this.messages.disconnected(question.session.address ?? this.messages.unknownAddress);
      }
      this.question = undefined;
    });
  }

  #time(time: number, timeStyle: 'short' | 'medium'): string {
    return new Date(time).toLocaleTimeString(this.language, { timeStyle });
  }
}

customElements.define('live-page', LivePage);

declare global {
  interface HTMLElementTagNameMap {
    'live-page': LivePage;
  }
}
