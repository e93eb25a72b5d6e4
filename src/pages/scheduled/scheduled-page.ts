import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { viewerMessages } from '../../elements/i18n/en.js';
import type { StreamViewerElement } from '../../elements/viewer/stream-viewer-element.js';
import { scheduledPath, type AnnouncedStream } from '../../wire/scheduled-stream.js';
import { pageTheme } from '../page-theme.js';
import { pageTitle, tagMessages } from '../page-title.js';
import { followAnnouncement, readAnnouncement, type FeedAnswer } from './announcement-feed.js';
import { countdownParts, landmarkPassed, type CountdownParts } from './countdown.js';
import type { ScheduledPageMessages } from './messages/scheduled-page-messages.js';
import { hasPlayer, pageStageOf, type Announcement, type PageFacts, type PageStage } from './page-stage.js';
import { nextPlayerState, type PlayerState } from './player-state.js';
import { startText, timeZoneText } from './start-text.js';

const SECOND_MS = 1_000;

/** Announces a scheduled stream, and becomes its player. It has no shadow root, so that the styles of the page apply. */
export class ScheduledPage extends LitElement {
  @property({ attribute: false }) messages!: ScheduledPageMessages;
  /** BCP 47 tag for dates and numbers. */
  @property({ attribute: false }) language = 'en';
  @property({ attribute: false }) scheduledId = '';
  /** Subscribe token. Empty: none. */
  @property({ attribute: false }) token = '';
  @state() private announcement: Announcement = { name: 'loading' };
  @state() private now = Date.now();
  @state() private player: PlayerState = 'none';
  @state() private isLost = false;
  /** What screen readers are told. */
  @state() private said = '';
  #hasPlayed = false;
  #endedOn: number | undefined;
  /** How far the clock of the server is ahead of the visitor's, in milliseconds. */
  #clockOffset = 0;
  #life = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#life = new AbortController();
    const { signal } = this.#life;
    followAnnouncement({
      read: () => readAnnouncement(this.scheduledId),
      onAnswer: this.#take,
      signal,
    });
    const timer = setInterval(this.#tick, SECOND_MS / 4);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    const { name } = pageStageOf(this.#facts);
    if (name === 'live' || this.dataset['stage'] !== 'live') return;
    this.said = name === 'over' || name === 'paused' ? this.messages[name] : '';
  }

  protected override render(): TemplateResult {
    const facts = this.#facts;
    const stage = pageStageOf(facts);
    return html`
      ${facts.announcement.name === 'known' && hasPlayer(stage, facts) ? this.#viewer(facts.announcement.stream) : nothing}
      ${this.#content(stage)}
      <p class="visually-hidden" role="status">${this.said}</p>
    `;
  }

  protected override updated(): void {
    const { name } = pageStageOf(this.#facts);
    // The styles show the player by it.
    if (this.dataset['stage'] !== name) this.dataset['stage'] = name;
    const { announcement, messages } = this;
    const title = announcement.name === 'known' ? announcement.stream.title : messages.missing.title;
    if (announcement.name === 'loading') return;
    const word = name === 'live' ? tagMessages(viewerMessages, this.language).live : '';
    document.title = pageTitle(word, title, pageTheme().name);
  }

  #viewer({ accountId, streamName }: AnnouncedStream): TemplateResult {
    return html`
      <stream-viewer
        lang=${this.language}
        .accountId=${accountId}
        .streamName=${streamName}
        .token=${this.token}
        .autoplay=${true}
        .controls=${true}
        @stream-phase-change=${this.#followPlayer}
      ></stream-viewer>
    `;
  }

  #content(stage: PageStage): TemplateResult {
    const { messages, announcement } = this;
    if (stage.name === 'missing') {
      return html`
        <div class="notice">
          <h1>${messages.missing.title}</h1>
          <p class="soft">${messages.missing.next}</p>
        </div>
      `;
    }
    if (announcement.name !== 'known') {
      return html`<p class="notice soft" role="status">${this.isLost ? messages.lost : messages.loading}</p>`;
    }
    const { title } = announcement.stream;
    if (stage.name === 'live') return html`<h1 class="visually-hidden" dir="auto">${title}</h1>`;
    return this.#card(announcement.stream, stage);
  }

  #card(stream: AnnouncedStream, stage: PageStage): TemplateResult {
    const { messages, language, isLost } = this;
    const { title, description, startsOn } = stream;
    const { name, logoUrl } = pageTheme();
    return html`
      <article class="card">
        ${
          logoUrl
            ? html`<img class="logo" src=${logoUrl} alt=${name} />`
            : name
              ? html`<p class="soft" dir="auto">${name}</p>`
              : nothing
        }
        <h1 dir="auto">${title}</h1>
        <p class="when">
          <time datetime=${startsOn}>${startText(stream, language)}</time>
          <span class="soft">${messages.timeZone(timeZoneText(startsOn, language))}</span>
        </p>
        ${this.#stage(stage)}
        ${description === null ? nothing : html`<p class="description" dir="auto">${description}</p>`}
        ${
          stage.name === 'countdown'
            ? html`
                <div>
                  <a class="button primary" href="${scheduledPath(this.scheduledId)}.ics">${messages.addToCalendar}</a>
                </div>
              `
            : nothing
        }
        <p role="status" class=${isLost ? 'lost' : 'visually-hidden'}>${isLost ? messages.lost : ''}</p>
      </article>
    `;
  }

  #stage(stage: PageStage): TemplateResult | typeof nothing {
    const { messages } = this;
    switch (stage.name) {
      case 'countdown':
        return html`
          <div class="countdown" role="timer" aria-live="off" aria-label=${messages.timeLeft}>
            ${this.#units(countdownParts(stage.remainingMs))}
          </div>
          <p class="soft">${messages.becomesPlayer}</p>
        `;
      case 'starting':
      case 'paused':
      case 'over':
        return html`<p class="stage">${messages[stage.name]}</p>`;
      default:
        return nothing;
    }
  }

  #units(parts: CountdownParts): TemplateResult[] {
    const names = (['days', 'hours', 'minutes', 'seconds'] as const).filter(
      (name) => name !== 'days' || parts.days > 0,
    );
    return names.map((name) => {
      const count = parts[name];
      const shown = count.toLocaleString(this.language, { minimumIntegerDigits: name === 'days' ? 1 : 2 });
      return html`
        <div>
          <strong>${shown}</strong>
          ${this.messages.units[name](count, shown)}
        </div>
      `;
    });
  }

  get #facts(): PageFacts {
    const { announcement, now, player } = this;
    return { announcement, now, player, endedOn: this.#endedOn, hasPlayed: this.#hasPlayed };
  }

  #serverTime(): number {
    return Date.now() + this.#clockOffset;
  }

  readonly #take = (answer: FeedAnswer): void => {
    this.isLost = answer.name === 'lost';
    if (answer.name === 'lost') return;
    const isFirst = this.announcement.name !== 'known';
    this.announcement = answer;
    if (answer.name === 'missing') return;
    this.#clockOffset = Date.parse(answer.stream.now) - Date.now();
    // The time was that of the visitor's clock until now.
    if (isFirst) this.now = this.#serverTime();
    this.#tick();
  };

  /** The view changes once a second, and at the second of the server. */
  readonly #tick = (): void => {
    const now = this.#serverTime();
    if (Math.ceil(now / SECOND_MS) === Math.ceil(this.now / SECOND_MS)) return;
    const { announcement } = this;
    if (announcement.name === 'known' && this.player !== 'playing') {
      const start = Date.parse(announcement.stream.startsOn);
      const landmark = landmarkPassed(start - this.now, start - now);
      if (landmark) this.said = this.messages.landmarks[landmark];
    }
    this.now = now;
  };

  readonly #followPlayer = ({ currentTarget }: Event): void => {
    const { phase } = currentTarget as StreamViewerElement;
    const before = this.player;
    this.player = nextPlayerState(before, phase);
    if (phase.name === 'ended') this.#endedOn = phase.endedOn;
    if (this.player !== 'playing' || before === 'playing') return;
    this.#hasPlayed = true;
    if (before !== 'resuming') this.said = this.messages.begun;
  };
}

customElements.define('scheduled-page', ScheduledPage);

declare global {
  interface HTMLElementTagNameMap {
    'scheduled-page': ScheduledPage;
  }
}
