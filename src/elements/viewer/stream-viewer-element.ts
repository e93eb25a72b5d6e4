import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { VideoLayer } from '../../client/viewer/layers.js';
import type { TokenProvider } from '../../client/authorization/token-provider.js';
import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import type { ViewerOptions } from '../../client/viewer/viewer.js';
import { defaultEndpoint } from '../default-endpoint.js';
import { stableTokenProvider } from '../stable-token-provider.js';
import { RunController } from '../run-controller.js';
import { setCustomStates } from '../custom-states.js';
import { warnOfQuality, warnOfRefusal } from '../warnings.js';
import { viewerMessages } from '../i18n/en.js';
import { MessagesController } from '../i18n/messages-controller.js';
import type { TitledMessage, Messages } from '../i18n/messages.js';
import { cloneTracks } from './playback/text-tracks.js';
import { heightOf } from './controls/menu-choices.js';
import { playOverlay, unmutePrompt } from './status/prompts.js';
import { LazyViewer } from './lazy-viewer.js';
import { CustomVideoElement } from './custom-video-element.js';
import { Playback } from './playback/playback.js';
import { togglePlay, toggleSound } from './controls/player.js';
import { statusArea } from './status/status-area.js';
import { viewerStyles } from './stream-viewer-styles.js';
import { ViewerControls } from './controls/viewer-controls.js';
import { viewerEvents } from './viewer-events.js';
import { viewerStatus, type Status } from './status/viewer-status.js';

// Declares the events for every page that knows this class: the compiler reaches it from each entry with the tag.
import '../events.js';

/**
 * Plays one live stream: waits for it, begins by itself, with sound where the browser lets it, and comes back after a
 * break. It has what a `<video>` has, so that other people's controls can be put around it.
 *
 * @summary A live video player.
 * @tag stream-viewer
 *
 * @slot - `<track>` elements, for captions.
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
 * @csspart latency - How long the picture takes from the server to the screen.
 * @csspart controls - The bar with the buttons.
 * @csspart button - Every button. Those of the bar have their own name besides.
 * @csspart play - Plays and pauses.
 * @csspart mute - Turns the sound off and on.
 * @csspart volume - How loud it is.
 * @csspart cast - Plays on another screen.
 * @csspart pip - Picture in picture.
 * @csspart settings - Opens the menu.
 * @csspart fullscreen - Goes into fullscreen and back.
 * @csspart sound - Asks for a tap, where the browser let nothing be heard without one.
 * @csspart menu - The settings.
 * @csspart statistics - What comes in, in figures.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-object-fit=contain] - How the picture fills its box.
 * @cssprop [--stream-accent=#e5484d] - Colour of the live badge.
 * @cssprop [--stream-radius=0] - Roundness of the corners.
 * @cssprop [--stream-font=system-ui, sans-serif] - Typeface of the texts.
 *
 * @cssstate idle - As the next ones: the name of the phase.
 * @cssstate authorizing
 * @cssstate connecting
 * @cssstate waiting
 * @cssstate live
 * @cssstate ended
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 * @cssstate paused - Besides: nobody wants to see it now.
 * @cssstate muted - Besides: the sound is off.
 * @cssstate quiet - Besides: the controls are hidden.
 *
 * @fires {StreamLiveEvent} stream-live - The stream began.
 * @fires {StreamEndedEvent} stream-ended - The broadcast stopped.
 * @fires {StreamWaitingEvent} stream-waiting - Connected, and nothing is broadcast.
 * @fires {StreamRejectedEvent} stream-rejected - The service said no.
 * @fires {StreamErrorEvent} stream-error - A break that is being mended, or a fault that cannot be.
 * @fires {StreamViewerCountEvent} stream-viewer-count - Another number of people watches.
 * @fires {Event} play - As of a `<video>`: it is to play.
 * @fires {Event} pause - As of a `<video>`: it is not to play.
 * @fires {Event} error - As of a `<video>`: `error` is another.
 */
export class StreamViewerElement extends CustomVideoElement {
  static override styles = viewerStyles;

  /** Origin of the server. Absent: where the script came from, or the page's own. */
  @property({ attribute: 'endpoint', useDefault: true }) endpoint = '';

  /** Account the stream belongs to. A token can stand in for it. */
  @property({ attribute: 'account-id', useDefault: true }) accountId = '';

  /** Name of the stream to play. */
  @property({ attribute: 'stream-name', useDefault: true }) streamName = '';

  /** Subscribe token, where the stream asks for one. Never reflected into the attribute. */
  @property({ attribute: 'token', useDefault: true }) token = '';

  /** Gets a token when one is wanted: at first, before the present one runs out, and after a no that another can cure. */
  @property({ attribute: false }) tokenProvider: TokenProvider | undefined;

  /** Whether it begins by itself, as it does unless it is `false`: nothing is asked for then before `play()`. */
  @property({ attribute: 'autoplay', converter: (value) => value !== 'false' }) autoplay = true;

  /** Whether people get controls. Without, there is only the picture, and what must be said. */
  @property({ attribute: 'controls', type: Boolean }) controls = false;

  /** Address of an image to show before the first picture. */
  @property({ attribute: 'poster', useDefault: true }) poster = '';

  /** The largest height to show, such as `720` or `720p`; `auto`: what the network carries. */
  @property({ attribute: 'quality', useDefault: true }) quality = 'auto';

  /**
   * Whether the sound is off, as of a video. The browser may turn it off, where it lets nothing be heard by itself.
   * @attr muted
   */
  declare muted: boolean;

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  @property({ attribute: false }) messages: Partial<Messages> = {};

  readonly #internals = this.attachInternals();
  readonly #messages = new MessagesController(this, viewerMessages);
  readonly #playback = new Playback(this, this.video);
  readonly #provider = stableTokenProvider(() => this.tokenProvider);
  readonly #viewer = new LazyViewer();
  readonly #run = new RunController<ViewerOptions, ViewerPhase>(this, this.#viewer, {
    options: () => this.#options,
    onPhase: (phase, before) => this.#announce(phase, before),
  });
  readonly #controls = new ViewerControls(this, this.video, this.#messages);
  readonly #tracks = new Map<Element, Element>();

  constructor() {
    super();
    this.#viewer.addEventListener('layerschange', () => this.requestUpdate());
  }

  /** Where the viewer stands. */
  get phase(): ViewerPhase {
    return this.#viewer.phase;
  }

  /** What the video comes in, the largest first. `quality` chooses among them. */
  get layers(): readonly VideoLayer[] {
    return this.#viewer.layers;
  }

  /** Whether nobody wants to see it now. Playing, it may still wait for the stream. */
  get paused(): boolean {
    return this.#playback.isPaused;
  }

  /** As of a video that cannot go on. */
  get error(): { readonly code: number; readonly message: string } | null {
    const { phase } = this;
    const message = phase.name === 'rejected' ? phase.message : phase.name === 'failed' ? phase.error.message : '';
    return message ? { code: 2, message } : null;
  }

  /** For controls that are made for all kinds of media: this is no recording. */
  get streamType(): 'live' {
    return 'live';
  }

  /** From when on a time is live, as such controls ask: `NaN` while none is. */
  get liveEdgeStart(): number {
    return this.phase.name === 'live' && !this.paused ? 0 : NaN;
  }

  /** Shows what is live now: a pause is not made up for. Without `autoplay` it is what begins everything. */
  play(): Promise<void> {
    return this.#playback.play();
  }

  /** Shows and sounds nothing new until `play`. The viewer stays connected. */
  pause(): void {
    this.#playback.pause();
  }

  /** Asks again, after a refusal or a failure. */
  retry(): void {
    this.#run.restart();
  }

  /** Figures of the connection, as browsers give them (W3C webrtc-stats). Undefined: there is none. */
  getStats(): Promise<RTCStatsReport | undefined> {
    return this.#viewer.getStats();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('poster')) this.video.poster = this.poster;
    if (changed.has('quality')) this.#chooseQuality();
    if (this.autoplay && this.isConnected) this.#playback.beginOnce();
  }

  protected override update(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot!.activeElement;
    super.update(changed);
    // Whoever had pressed a button that is gone goes on from here.
    if (focused && !focused.checkVisibility()) this.#controls.focus();
  }

  protected override updated(): void {
    const { phase, paused, muted } = this;
    setCustomStates(
      this.#internals,
      phase.name,
      paused && 'paused',
      muted && 'muted',
      this.#controls.isUserInactive && 'quiet',
    );
  }

  protected override render(): TemplateResult {
    const messages = this.#messages.current;
    const status = this.#status;
    return html`
      <div
        class="box ${this.#controls.isUserInactive ? 'quiet' : ''} ${status.look === 'cover' ? 'covered' : ''}"
        role="group"
        tabindex="-1"
        lang=${this.#messages.lang}
        dir=${messages.dir}
        aria-label=${messages.player}
        @click=${this.#onClick}
      >
        ${this.video}
        <div role="status">${statusArea(status, messages.tryAgain, () => this.retry())}</div>
        ${this.#invitation} ${this.#controls.render()}
        <slot hidden @slotchange=${this.#onTracks}></slot>
      </div>
    `;
  }

  get #status(): Status {
    const { isPaused, hasPicture } = this.#playback;
    const circumstances = { missing: this.#missing, isPaused, hasPicture, isOnline: navigator.onLine };
    return viewerStatus(this.phase, circumstances, this.#messages.current);
  }

  /** To what only a person can do: begin, go on, or let it be heard. */
  get #invitation(): TemplateResult | typeof nothing {
    const messages = this.#messages.current;
    const { phase, paused } = this;
    const { isRefused, isSoundRefused } = this.#playback;
    const isStart = phase.name === 'idle' && !this.#missing;
    if (paused && (isStart || phase.name === 'live') && (this.controls || isRefused))
      return playOverlay(isStart ? messages.play : messages.backToLive, () => togglePlay(this));
    return isSoundRefused && phase.name === 'live'
      ? unmutePrompt(messages.tapForSound, () => toggleSound(this))
      : nothing;
  }

  #chooseQuality(): void {
    const maxHeight = heightOf(this.quality);
    if (!maxHeight && this.quality && this.quality !== 'auto') warnOfQuality(this.localName, this.quality);
    // A service that cannot choose sends what it has.
    this.#viewer.select(maxHeight > 0 ? { maxHeight } : 'auto').catch(() => {});
  }

  /** What is to be done by whoever made the page, before anything can be asked for. */
  get #missing(): TitledMessage | undefined {
    const messages = this.#messages.current;
    if (!this.streamName) return [messages.noStream, ''];
    if (!this.accountId && !this.token && !this.tokenProvider) return [messages.noAccess, ''];
    return URL.canParse(this.#origin) ? undefined : messages.malformed_answer;
  }

  get #origin(): string {
    return this.endpoint || defaultEndpoint();
  }

  get #options(): ViewerOptions | undefined {
    if (!this.#playback.hasBegun || this.#missing) return undefined;
    const { accountId, streamName, token } = this;
    return { endpoint: this.#origin, accountId, streamName, token, tokenProvider: this.#provider() };
  }

  #announce(phase: ViewerPhase, before: ViewerPhase): void {
    this.#playback.show(phase, before);
    for (const event of viewerEvents(phase, before, this.streamName)) this.dispatchEvent(event);
    if (phase.name === 'rejected') warnOfRefusal(this.localName, this.#origin, phase.reason);
    if (this.error) this.dispatchEvent(new Event('error'));
  }

  #onClick(event: PointerEvent): void {
    // What lies over the picture has clicks of its own.
    if (event.target !== this.video && event.target !== event.currentTarget) return;
    if (this.#playback.isSoundRefused) toggleSound(this);
    else if (this.controls) this.#controls.onPicture(event);
  }

  #onTracks({ target }: Event): void {
    cloneTracks((target as HTMLSlotElement).assignedElements(), this.video, this.#tracks);
  }
}
