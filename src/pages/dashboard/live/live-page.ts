import { html, nothing, type TemplateResult } from 'lit';
import type { SessionBody } from '../../../wire/management/session.js';
import { DashboardPage } from '../dashboard-page.js';
import { confirmation } from '../dialog-contents.js';
import { bitrateText, timeText } from '../formatting.js';
import type { Told } from '../page-changes.js';
import { tokenPath } from '../token-path.js';
import { tokenWord } from '../token-word.js';
import { blockQuestion, kindOf, type BlockableSession, type BlockQuestion } from './block-question.js';
import { LiveState, type LiveContent } from './live-state.js';
import type { LiveMessages } from './messages/live-messages.js';
import { streamCard, type StreamActions } from './stream-card.js';

type StopQuestion =
  | { readonly name: 'stop-stream'; readonly streamName: string }
  | { readonly name: 'stop-session'; readonly session: SessionBody };
type LiveQuestion = StopQuestion | BlockQuestion;

/** What is live now, with its sources, its viewers, and the ways to end both. */
export class LivePage extends DashboardPage<LiveMessages, LiveContent, LiveQuestion> {
  #state!: LiveState;

  readonly #actions: StreamActions = {
    onSelect: (stream) => this.turn({ stream }),
    onStop: (streamName) => void this.dialog.open({ name: 'stop-stream', streamName }),
    onDisconnect: (session) => void this.dialog.open({ name: 'stop-session', session }),
    onBlock: (session) => void this.#askToBlock(session),
    onRecord: (streamName, { sourceId }, isOn) =>
      this.changes.attempt(async () => {
        await this.#state.switchRecording(streamName, sourceId, isOn);
        return isOn ? this.messages.recordingBegun(streamName) : this.messages.recordingEnded(streamName);
      }),
    onClip: (streamName, { sourceId }, seconds) =>
      this.changes.attempt(async () => {
        await this.#state.clip(streamName, sourceId, seconds);
        return this.messages.clipped(streamName);
      }),
  };

  override connectedCallback(): void {
    super.connectedCallback();
    const { client, accountId } = this.context;
    this.#state = new LiveState({
      client,
      accountId,
      mayReadLimits: this.may('figures'),
      onChange: (view) => this.show(view),
    });
    this.#state.start();
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    void this.#state.select(query.get('stream') ?? undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#state.stop();
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    return html`
      <h1 tabindex="-1">${messages.live}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.may('streams') ? nothing : html`<p class="soft">${messages.whoStops}</p>`} ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => void this.#state.load(),
      )}
      ${this.dialog.render((question) => this.#question(question))}
    `;
  }

  #content({ streams, connections, limits, readOn, isStale }: LiveContent): TemplateResult {
    const { messages, texts, client } = this;
    const { isBusy } = this.changes;
    const may = (permission: string): boolean => this.may(permission);
    return html`
      ${
        isStale
          ? html`<p class="card error" role="alert">${messages.stale(timeText(readOn, this.language, 'medium'))}</p>`
          : nothing
      }
      ${this.#bitrateLimit(limits)}
      ${
        streams.length === 0
          ? html`<p class="card soft">${messages.none}</p>`
          : streams.map((stream) =>
              streamCard(stream, { client, texts, isBusy, readOn, connections, may, actions: this.#actions }),
            )
      }
    `;
  }

  #bitrateLimit(limits: LiveContent['limits']): TemplateResult | typeof nothing {
    const { messages, language } = this;
    const { maxPublishBitrate, publishBitrateControl = '' } = limits ?? {};
    if (maxPublishBitrate === undefined || maxPublishBitrate === null) return nothing;
    return html`<p class="soft">
      ${messages.mostBitrate(bitrateText(maxPublishBitrate, language))}
      ${messages.bitrateControl[publishBitrateControl]}
    </p>`;
  }

  #question(question: LiveQuestion): TemplateResult {
    const { changes, common, texts } = this;
    const onConfirm = (): void => this.#confirm(question);
    if (question.name === 'block') return blockQuestion(question, { changes, onConfirm }, texts);
    return confirmation(this.#stopTexts(question), { changes, common, onConfirm });
  }

  #stopTexts(question: StopQuestion): { title: string; effect: string; action: string } {
    const { messages } = this;
    return question.name === 'stop-stream'
      ? { title: messages.stopQuestion(question.streamName), effect: messages.stopEffect, action: messages.stop }
      : {
          title: messages.disconnectQuestion(question.session.address ?? messages.unknownAddress),
          effect: messages.disconnectEffect,
          action: messages.disconnect,
        };
  }

  /** How many sessions the block ends is added to the question when it is known. */
  async #askToBlock(session: BlockableSession): Promise<void> {
    const asked = this.dialog.open({ name: 'block', session, ends: undefined });
    this.dialog.replace(asked, { ...asked, ends: await this.#state.sessionsFrom(session) });
  }

  #confirm(question: LiveQuestion): void {
    this.changes.attempt(async () => {
      const told = await this.#end(question);
      this.dialog.close();
      return told;
    });
  }

  async #end(question: LiveQuestion): Promise<Told> {
    const { messages } = this;
    switch (question.name) {
      case 'stop-stream':
        await this.#state.stopStream(question.streamName);
        return messages.stopped(question.streamName);
      case 'stop-session':
        await this.#state.stopSession(question.session);
        return messages.disconnected(question.session.address ?? messages.unknownAddress);
      case 'block':
        return await this.#block(question.session);
    }
  }

  /** Returns the way to the token too, on which the block can be taken back. */
  async #block(session: BlockableSession): Promise<Told> {
    const { messages, common } = this;
    const { tokenId, address } = session;
    const token = tokenWord(session, common);
    await this.#state.blockAddress(session);
    const path = tokenPath({ kind: kindOf(session), id: tokenId }, location.search);
    return html` ${messages.blocked(address, token)} <a href=${path}>${messages.unblock(token)}</a> `;
  }
}

customElements.define('live-page', LivePage);

declare global {
  interface HTMLElementTagNameMap {
    'live-page': LivePage;
  }
}
