import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import type { SessionBody } from '../../../wire/management/session.js';
import { DashboardPage } from '../dashboard-page.js';
import { unreadyContent } from '../page-view.js';
import { codecName } from '../codec-name.js';
import { bitrateText, clockText, percentText } from '../quantity-text.js';
import '../time-chart.js';
import './stream-still.js';
import { tokenPath, type NamedToken } from '../token-path.js';
import { blockQuestion, kindOf, type BlockableSession, type BlockQuestion } from './block-question.js';
import { connectionsView } from './connections-view.js';
import { LiveState, type LiveContent, type StreamConnections } from './live-state.js';
import { recordingControls, recordingSign } from './recording-controls.js';
import type { LiveMessages } from './messages/live-messages.js';

type Source = LiveStreamBody['sources'][number];

/** Viewers see such a loss, because not all of it can be sent again in time. */
const MUCH_LOSS = 0.03;
type Question =
  | { readonly name: 'stop-stream'; readonly streamName: string }
  | { readonly name: 'stop-session'; readonly session: SessionBody }
  | BlockQuestion;

/** What is live now, with its sources, its viewers, and the ways to end both. */
export class LivePage extends DashboardPage<LiveMessages, LiveContent> {
  @property({ attribute: false }) accountId = '';
  @property({ attribute: false }) permissions: readonly string[] = [];
  @state() private question: Question | undefined;
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  /** The token on which an address was blocked just now. */
  @state() private blockedOn: NamedToken | undefined;
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
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done} ${this.#undo()}</p>
      ${this.fault && !this.question ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${this.question ? this.#dialog(this.question) : nothing}
    `;
  }

  #content({ streams, connections, readOn, isStale }: LiveContent): TemplateResult {
    const { messages } = this;
    return html`
      ${
        isStale ? html`<p class="card error" role="alert">${messages.stale(this.#time(readOn, 'medium'))}</p>` : nothing
      }
      ${
        streams.length === 0
          ? html`<p class="card soft">${messages.none}</p>`
          : streams.map((stream) => this.#stream(stream, connections, readOn))
      }
    `;
  }

  #stream(stream: LiveStreamBody, connections: StreamConnections | undefined, readOn: number): TemplateResult {
    const { messages, language } = this;
    const { streamName, liveSince, viewersOverTime, sources } = stream;
    const begun = Date.parse(liveSince);
    const points = viewersOverTime.map((point) => ({ time: Date.parse(point.time), value: point.viewers }));
    const most = points.reduce((peak, { value }) => Math.max(peak, value), 0);
    const isOpen = connections?.streamName === streamName;
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
              ${isOpen ? messages.hideConnections : messages.showConnections}
            </button>
            <button
              aria-label=${messages.stopThis(streamName)}
              @click=${() => this.#ask({ name: 'stop-stream', streamName })}
            >
              ${messages.stop}
            </button>
          </div>
        </div>
        <div class="on-air">
          ${this.#still(streamName)}
          <time-chart
            .points=${[...points, { time: readOn, value: stream.viewers }]}
            .label=${messages.chart(most.toLocaleString(language))}
            .language=${language}
          ></time-chart>
        </div>
        ${sources.map((source) => this.#source(streamName, source))}
        ${isOpen ? this.#connections(connections, readOn) : nothing}
      </section>
    `;
  }

  /** Who may see figures only, may not see what is broadcast. */
  #still(streamName: string): TemplateResult | typeof nothing {
    const { messages, client, permissions } = this;
    if (!permissions.includes('read')) return nothing;
    return html`
      <stream-still
        .load=${(signal: AbortSignal) => client.streams.still(streamName, { signal })}
        .label=${messages.still(streamName)}
        .noPicture=${messages.noStill}
      ></stream-still>
    `;
  }

  /** A newer server can have notices that this page does not know. */
  #notice(notice: string): TemplateResult {
    const text = (this.messages.notices as Readonly<Record<string, string>>)[notice] ?? notice;
    return html`<p class=${notice === 'picture_transcoded' ? 'soft' : 'error'}>${text}</p>`;
  }

  #source(streamName: string, source: Source): TemplateResult {
    const { messages, language } = this;
    const name = source.sourceId === null ? messages.mainSource : messages.source(source.sourceId);
    return html`
      <div class="source">
        <h3><bdi>${name}</bdi></h3>
        <p class="facts soft">
          ${recordingSign(source, messages)}
          <span>${messages.token(String(source.tokenId))}</span>
          ${source.tracks.map((kind) => html`<span>${messages.tracks[kind] ?? kind}</span>`)}
          <span>${bitrateText(source.videoBitrate, language)}</span>
          ${this.#reception(source.reception)}
        </p>
        ${source.connected ? nothing : html`<p class="error">${messages.lost}</p>`}
        ${source.notices.map((notice) => this.#notice(notice))}
        ${
          this.permissions.includes('recordings')
            ? recordingControls(source, {
                messages,
                language,
                name: `${streamName}, ${name}`,
                isBusy: this.isBusy,
                onSwitch: (isOn) => this.#switchRecording(streamName, source, isOn),
                onClip: (seconds) => this.#clip(streamName, source, seconds),
              })
            : nothing
        }
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

  #connections(connections: StreamConnections, readOn: number): TemplateResult {
    const { messages, language } = this;
    return connectionsView(connections, {
      messages,
      language,
      readOn,
      canBlock: this.permissions.includes('tokens'),
      onDisconnect: (session) => this.#ask({ name: 'stop-session', session }),
      onBlock: (session) => void this.#askToBlock(session),
    });
  }

  /** The way to the token on which an address was blocked just now. */
  #undo(): TemplateResult | typeof nothing {
    const { blockedOn } = this;
    if (!blockedOn) return nothing;
    return html`<a href=${tokenPath(blockedOn, location.search)}>${this.messages.unblock(String(blockedOn.id))}</a>`;
  }

  #dialog(question: Question): TemplateResult {
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.question = undefined)}>
        ${
          question.name === 'block'
            ? blockQuestion(
                question,
                { fault: this.fault, isBusy: this.isBusy, onConfirm: () => this.#confirm(question) },
                { messages: this.messages, common: this.common, language: this.language },
              )
            : this.#stopQuestion(question)
        }
      </dialog>
    `;
  }

  #stopQuestion(question: Exclude<Question, BlockQuestion>): TemplateResult {
    const { messages, common } = this;
    const { title, effect, action } =
      question.name === 'stop-stream'
        ? { title: messages.stopQuestion(question.streamName), effect: messages.stopEffect, action: messages.stop }
        : {
            title: messages.disconnectQuestion(question.session.address ?? messages.unknownAddress),
            effect: messages.disconnectEffect,
            action: messages.disconnect,
          };
    return html`
      <h2 id="dialog" dir="auto">${title}</h2>
      <p class="soft">${effect}</p>
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      <div class="actions">
        <form method="dialog"><button autofocus>${common.cancel}</button></form>
        <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#confirm(question)}>${action}</button>
      </div>
    `;
  }

  #switchRecording(streamName: string, { sourceId }: Source, isOn: boolean): void {
    this.#forget();
    this.attempt(async () => {
      await this.#state!.switchRecording(streamName, sourceId, isOn);
      this.done = isOn ? this.messages.recordingBegun(streamName) : this.messages.recordingEnded(streamName);
    });
  }

  #clip(streamName: string, { sourceId }: Source, seconds: number): void {
    this.#forget();
    this.attempt(async () => {
      await this.#state!.clip(streamName, sourceId, seconds);
      this.done = this.messages.clipped(streamName);
    });
  }

  /** The outcome of the last change is not shown any more. */
  #forget(): void {
    this.done = '';
    this.blockedOn = undefined;
  }

  #ask(question: Question): void {
    this.#forget();
    this.fault = '';
    this.question = question;
  }

  /** How many sessions the block ends is added to the question when it is known. */
  async #askToBlock(session: BlockableSession): Promise<void> {
    this.#ask({ name: 'block', session, ends: undefined });
    const asked = this.question;
    const ends = await this.#state!.sessionsFrom(session);
    if (this.question === asked) this.question = { name: 'block', session, ends };
  }

  #confirm(question: Question): void {
    const { messages } = this;
    const state = this.#state!;
    this.attempt(async () => {
      switch (question.name) {
        case 'stop-stream':
          await state.stopStream(question.streamName);
          this.done = messages.stopped(question.streamName);
          break;
        case 'stop-session':
          await state.stopSession(question.session);
          this.done = messages.disconnected(question.session.address ?? messages.unknownAddress);
          break;
        case 'block': {
          const { session } = question;
          await state.blockAddress(session);
          this.done = messages.blocked(session.address, String(session.tokenId));
          this.blockedOn = { kind: kindOf(session), id: session.tokenId };
        }
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
