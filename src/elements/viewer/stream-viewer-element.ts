import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { TokenProvider } from '../../client/token-source.js';
import type { ViewerPhase } from '../../client/viewer-phase.js';
import { Viewer, type ViewerOptions } from '../../client/viewer.js';
import { defaultEndpoint } from '../default-endpoint.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  ViewerCountEvent,
} from '../events.js';
import { eyeIcon, fullscreenIcon, mutedIcon, playIcon, soundIcon } from '../icons.js';
import { latestProvider } from '../latest-provider.js';
import { sentenceFor, worthRetrying } from '../refusal-sentence.js';
import { RunController } from '../run-controller.js';
import { sharedStyles } from '../shared-styles.js';
import { showMedia } from '../show-media.js';
import { showState } from '../show-state.js';
import { spinner } from '../spinner.js';
import { viewerWords } from '../words/en.js';
import { WordsController } from '../words/words-controller.js';
import type { Sentence, Words } from '../words/words.js';
import { styles } from './stream-viewer-styles.js';

/**
 * Plays one live stream: waits for it, begins by itself, muted as browsers demand, and comes back after a break.
 *
 * @summary A live video player.
 * @tag stream-viewer
 *
 * @slot waiting - Shown until the stream begins.
 * @slot ended - Shown for a moment after the broadcast stopped.
 * @slot rejected - Shown when the service refused. Call `retry()` from it where asking again can help.
 * @slot failed - Shown when the viewer gave up for another cause.
 * @slot reconnecting - A notice while a lost connection is mended.
 *
 * @csspart video - The `<video>` element.
 * @csspart cover - What lies over the picture when there is none to see.
 * @csspart badge - The live badge.
 * @csspart viewers - The number of people who watch.
 * @csspart controls - The bar with the buttons.
 * @csspart button - Every button.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-object-fit=contain] - How the picture fills its box.
 * @cssprop [--stream-accent=#e5484d] - Colour of the live badge.
 * @cssprop [--stream-radius=0] - Roundness of the corners.
 * @cssprop [--stream-font=system-ui, sans-serif] - Typeface of the texts.
 *
 * @cssstate idle - As the others: the name of the phase.
 * @cssstate authorizing
 * @cssstate connecting
 * @cssstate waiting
 * @cssstate live
 * @cssstate ended
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 *
 * @fires {StreamLiveEvent} stream-live - The stream began.
 * @fires {StreamEndedEvent} stream-ended - The broadcast stopped.
 * @fires {StreamWaitingEvent} stream-waiting - Connected, and nothing is broadcast.
 * @fires {StreamRejectedEvent} stream-rejected - The service said no.
 * @fires {StreamErrorEvent} stream-error - A break that is being mended, or a fault that cannot be.
 * @fires {ViewerCountEvent} viewer-count - Another number of people watches.
 */
export class StreamViewerElement extends LitElement {
  static override styles = [sharedStyles, styles];

  /** Origin of the server. Absent: where the script came from, or the page's own. */
  @property() endpoint = '';

  /** Account the stream belongs to. A token can stand in for it. */
  @property({ attribute: 'account-id' }) accountId = '';

  /** Name of the stream to play. */
  @property({ attribute: 'stream-name' }) streamName = '';

  /** Subscribe token, where the stream asks for one. Never reflected into the attribute. */
  @property() token = '';

  /** Gets a token when one is wanted: at first, before the present one runs out, and after a no that another can cure. */
  @property({ attribute: false }) tokenProvider: TokenProvider | undefined;

  /** Whether the sound is off. Browsers begin a video by itself only like this. */
  @property({ type: Boolean, attribute: false }) muted = true;

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  @property({ attribute: false }) words: Partial<Words> = {};

  @state() private hasPicture = false;
  @state() private isBlocked = false;

  /**
   * What the video plays, or the last of it. Set once the stream is known to be live: a video with tracks that are silent yet would hold
   * back the page's `load` event until the stream begins.
   */
  #shown: MediaStream | undefined;
  readonly #internals = this.attachInternals();
  readonly #words = new WordsController(this, viewerWords);
  readonly #provider = latestProvider(() => this.tokenProvider);
  readonly #viewer = new Viewer();
  readonly #run = new RunController<ViewerOptions, ViewerPhase>(this, this.#viewer, {
    options: () => this.#options,
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  /** Where the viewer stands. */
  get phase(): ViewerPhase {
    return this.#viewer.phase;
  }

  /** Asks again, after a refusal or a failure. */
  retry(): void {
    this.#run.restart();
  }

  protected override updated(): void {
    showState(this.#internals, this.phase.name);
    this.#video.muted = this.muted;
    showMedia(this.#video, this.#shown);
  }

  protected override render(): TemplateResult {
    const { phase } = this;
    return html`
      <video part="video" autoplay playsinline muted></video>
      <div class="words" lang=${this.#words.lang} dir=${this.#words.current.dir}>
        <div role="status">${this.#cover(phase)}</div>
        ${phase.name === 'live' ? this.#controls(phase) : nothing}
      </div>
    `;
  }

  get #video(): PhoneVideo {
    return this.renderRoot.querySelector('video')!;
  }

  #cover(phase: ViewerPhase): TemplateResult | typeof nothing {
    const words = this.#words.current;
    switch (phase.name) {
      case 'idle':
        return cover(html`<span>${this.streamName ? words.noAccess : words.noStream}</span>`);
      case 'authorizing':
      case 'connecting':
        return cover(spinner);
      case 'waiting':
        return cover(html`<slot name="waiting">${said(words.waiting)}</slot>`);
      case 'ended':
        return cover(html`<slot name="ended">${said(words.ended)}</slot>`);
      case 'rejected':
        return cover(
          html`<slot name="rejected"
            >${said(sentenceFor(words, phase.reason, phase.message))}${
              worthRetrying(phase.reason) ? this.#tryAgain : nothing
            }</slot
          >`,
        );
      case 'failed':
        return cover(
          html`<slot name="failed"
            >${said(sentenceFor(words, phase.error.code, phase.error.message))}${this.#tryAgain}</slot
          >`,
        );
      case 'reconnecting':
        return html`<div class="bar top">
          <slot name="reconnecting"><span class="badge">${spinner}${words.reconnecting}</span></slot>
        </div>`;
      case 'live':
        if (this.isBlocked) {
          return html`<div class="cover clear" part="cover">
            <button part="button" class="text bright" @click=${this.#play}>${playIcon}${words.play}</button>
          </div>`;
        }
        return html`
          <div class="bar top"><span part="badge" class="badge live">${words.live}</span></div>
          ${this.hasPicture ? nothing : html`<div class="cover clear" part="cover">${spinner}</div>`}
        `;
    }
  }

  #controls({ media, viewers }: ViewerPhase & { name: 'live' }): TemplateResult {
    const words = this.#words.current;
    return html`
      <div part="controls" class="bar bottom">
        ${media.getAudioTracks().length > 0 ? this.#soundButton : nothing}
        <span class="grow"></span>
        ${
          viewers === undefined
            ? nothing
            : html`<span part="viewers" class="badge"
                >${eyeIcon}<span aria-hidden="true">${this.#words.number(viewers)}</span
                ><span class="told">${words.watching(viewers, this.#words.number(viewers))}</span></span
              >`
        }
        <button part="button" aria-label=${words.fullscreen} @click=${this.#toggleFullscreen}>${fullscreenIcon}</button>
      </div>
    `;
  }

  get #soundButton(): TemplateResult {
    const words = this.#words.current;
    return this.muted
      ? html`<button part="button" class="text bright" @click=${this.#toggleSound}>
          ${mutedIcon}${words.tapForSound}
        </button>`
      : html`<button part="button" aria-label=${words.mute} @click=${this.#toggleSound}>${soundIcon}</button>`;
  }

  get #tryAgain(): TemplateResult {
    return html`<button part="button" class="text bright" @click=${this.retry}>
      ${this.#words.current.tryAgain}
    </button>`;
  }

  get #options(): ViewerOptions | undefined {
    const { accountId, streamName, token } = this;
    const endpoint = this.endpoint || defaultEndpoint();
    const tokenProvider = this.#provider();
    return endpoint && streamName && (accountId || token || tokenProvider)
      ? { endpoint, accountId, streamName, token, tokenProvider }
      : undefined;
  }

  #announce(phase: ViewerPhase, before: ViewerPhase): void {
    // Before it plays already: a video that is given its media late shows its first frame late.
    if ('media' in phase) this.#shown = phase.media;
    if (phase.name === 'live') {
      if (before.name !== 'live') {
        this.dispatchEvent(new StreamLiveEvent(this.streamName));
        void this.#play();
        this.#awaitPicture(phase.media);
      }
      const known = before.name === 'live' ? before.viewers : undefined;
      if (phase.viewers !== undefined && phase.viewers !== known)
        this.dispatchEvent(new ViewerCountEvent(phase.viewers));
    }
    if (phase.name === 'idle' || phase.name === 'rejected' || phase.name === 'failed') this.#shown = undefined;
    if (phase.name === 'ended') this.dispatchEvent(new StreamEndedEvent(this.streamName));
    if (phase.name === 'waiting') this.dispatchEvent(new StreamWaitingEvent(this.streamName));
    if (phase.name === 'rejected') this.dispatchEvent(new StreamRejectedEvent(phase.reason, phase.message));
    if (phase.name === 'failed' || phase.name === 'reconnecting') this.dispatchEvent(new StreamErrorEvent(phase.error));
  }

  /** Browsers may refuse to begin without a gesture, muted too (low-power mode of a phone). */
  #play = async (): Promise<void> => {
    await this.updateComplete;
    this.isBlocked = await this.#video.play().then(
      () => false,
      (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
    );
  };

  /** No event of a video says that pictures come again after a pause of the sender. */
  #awaitPicture(media: MediaStream): void {
    this.hasPicture = media.getVideoTracks().length === 0;
    this.#video.requestVideoFrameCallback(() => (this.hasPicture = true));
  }

  #toggleSound(): void {
    this.muted = !this.muted;
  }

  #toggleFullscreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (document.fullscreenEnabled) void this.requestFullscreen();
    else this.#video.webkitEnterFullscreen?.();
  }
}

/** Safari on iPhones has fullscreen for videos only, under a name of its own. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?(): void;
}

const said = ([title, next]: Sentence): TemplateResult => html`<b>${title}</b><span>${next}</span>`;

const cover = (content: TemplateResult): TemplateResult => html`<div part="cover" class="cover">${content}</div>`;
