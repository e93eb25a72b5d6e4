// Bundlers keep this order of the modules. Similar texts side by side compress better: `npm run bench -- bundle`.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { StreamLayersChangeEvent, StreamSourcesChangeEvent } from '../events.js';
import { viewerEvents } from './viewer-events.js';
import { stableTokenProvider } from '../stable-token-provider.js';
import { CustomVideoElement } from './custom-video-element.js';
import { MessagesController } from '../i18n/messages-controller.js';
import { RunController } from '../run-controller.js';
import { LazyViewer } from './lazy-viewer.js';
import { cloneTracks } from './playback/text-tracks.js';
import { setCustomStates } from '../custom-states.js';
import { VideoRenditionList } from './playback/video-renditions.js';
import { viewerMessages } from '../i18n/en.js';
import { toPictureHeight, type PictureHeight } from '../picture-height.js';
import { ViewerControls } from './controls/viewer-controls.js';
import { viewerStatus, type Status } from './status/viewer-status.js';
import { playOverlay, statusArea, unmutePrompt } from './status/status-area.js';
import { Playback } from './playback/playback.js';
import { warnOfRefusal } from '../warnings.js';
import { defaultEndpoint } from '../default-endpoint.js';
import { shareMediaSession } from './playback/media-session.js';
import { VisibilityController } from './playback/visibility-controller.js';
import { viewerAdaptiveStyles } from './viewer-adaptive-styles.js';
import { viewerStyles } from './stream-viewer-styles.js';
import { hasNoVideo, togglePlay, toggleSound } from './controls/player.js';
import { sharedStyles } from '../shared-styles.js';
import type { TokenProvider } from '../../client/authorization/token-provider.js';
import type { Rewind } from './rewind/rewind.js';
import type { VideoLayer } from '../../client/viewer/layers.js';
import type { StreamSource } from '../../client/viewer/sources.js';
import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import type { ViewerOptions } from '../../client/viewer/viewer.js';
import type { Messages, TitledMessage } from '../i18n/messages.js';

// Declares the event types: the compiler reaches this import from every entry that exports the class.
import '../events.js';

/**
 * Plays one live stream: waits until the stream is live, and reconnects after a failure. It has the members of a
 * `<video>`, so that controls made for a `<video>` can be put around it.
 *
 * @summary A live video player.
 * @tag stream-viewer
 *
 * @slot - `<track>` elements, for captions.
 * @slot waiting - Shown until the stream is live.
 * @slot ended - Shown after the broadcast stopped: for five seconds, or until it is live again if the broadcaster ended it.
 * @slot rejected - Shown when the server refused. Call `retry()` from it if another attempt can help.
 * @slot failed - Shown when the viewer gave up for another reason.
 * @slot audio - Shown while there is sound, and neither a picture nor a poster.
 * @slot reconnecting - A notice while a lost connection is restored.
 *
 * @csspart video - The `<video>` element.
 * @csspart cover - The area over the picture while there is no video.
 * @csspart notice - The notice at the top of the picture, such as "Reconnecting".
 * @csspart spinner - The spinner.
 * @csspart live-badge - The live badge.
 * @csspart viewer-count - The number of viewers.
 * @csspart controls - The bar with the buttons.
 * @csspart button - Every button. Each button also has its own part.
 * @csspart play - The button to play and pause.
 * @csspart mute - The button to turn the sound off and on.
 * @csspart volume - The volume slider.
 * @csspart cast - The button to play on another screen.
 * @csspart pip - The button for picture in picture.
 * @csspart settings-button - The button that opens the settings.
 * @csspart fullscreen - The button to enter and leave fullscreen.
 * @csspart play-overlay - The big play button over the picture.
 * @csspart unmute - The button that asks to unmute, if the browser muted the video.
 * @csspart retry - The button to try again after a refusal or a failure.
 * @csspart settings - The settings: quality, captions, statistics.
 * @csspart statistics - The statistics of the connection.
 * @csspart timeline - The bar to go back in a recorded stream.
 * @csspart timeline-slider - The slider of the timeline.
 * @csspart timeline-time - How far back the picture is.
 * @csspart timeline-preview - The time and the picture where a mouse points at the timeline.
 * @csspart speed - The list of speeds, while the picture is behind.
 * @csspart go-live - The button back to live.
 * @csspart from-beginning - The button that plays the recording of a stream that is over.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-object-fit=contain] - How the picture fills its box.
 * @cssprop [--stream-accent=#e5484d] - Colour of the live badge.
 * @cssprop [--stream-radius=0] - Radius of the corners.
 * @cssprop [--stream-font=system-ui, sans-serif] - Typeface of the texts.
 *
 * @cssstate idle - The phase is `idle`; so for the next ones.
 * @cssstate authorizing
 * @cssstate connecting
 * @cssstate waiting
 * @cssstate live
 * @cssstate ended
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 * @cssstate paused - The viewer is paused, in any phase.
 * @cssstate muted - The sound is off.
 * @cssstate interrupted - The broadcaster is lost and may come back. The phase is `live`.
 * @cssstate video-paused - The stream is live without a picture, because the network is too slow for any. The sound goes on.
 * @cssstate user-inactive - The controls are hidden, because the visitor is inactive.
 *
 * @fires {StreamPhaseChangeEvent} stream-phase-change - `phase` changed. Sent before the events that say what the change means.
 * @fires {StreamLiveEvent} stream-live - The stream is live.
 * @fires {StreamEndedEvent} stream-ended - The broadcast stopped.
 * @fires {StreamInterruptedEvent} stream-interrupted - The broadcaster is lost and may come back; then `stream-live` follows.
 * @fires {StreamWaitingEvent} stream-waiting - Nothing is broadcast, and the viewer waits.
 * @fires {StreamRejectedEvent} stream-rejected - The server refused.
 * @fires {StreamErrorEvent} stream-error - Something failed; the event says whether the viewer tries again.
 * @fires {StreamViewerCountEvent} stream-viewer-count - The number of viewers changed.
 * @fires {StreamSourcesChangeEvent} stream-sources-change - `sources` changed.
 * @fires {StreamLayersChangeEvent} stream-layers-change - `layers` changed. Sent at most once a second.
 * @fires {Event} play - As of a `<video>`: `paused` became false.
 * @fires {Event} pause - As of a `<video>`: `paused` became true.
 * @fires {Event} ended - As of a `<video>`: `ended` became true.
 * @fires {Event} error - As of a `<video>`: `error` is set.
 */
export class StreamViewerElement extends CustomVideoElement {
  static override styles = [sharedStyles, viewerStyles, viewerAdaptiveStyles];

  static override properties = {
    endpoint: { useDefault: true },
    accountId: { attribute: 'account-id', useDefault: true },
    streamName: { attribute: 'stream-name', useDefault: true },
    token: { useDefault: true },
    tokenProvider: { attribute: false },
    autoplay: { type: Boolean },
    controls: { type: Boolean },
    poster: { useDefault: true },
    quality: {},
    audioOnly: { type: Boolean },
    defaultMuted: { attribute: 'muted', type: Boolean, reflect: true },
    noHotkeys: { type: Boolean },
    noAutohide: { type: Boolean },
    gesturesDisabled: { type: Boolean },
    noReports: { type: Boolean },
    dvr: { type: Boolean },
    pauseWhenHidden: { type: Boolean },
    messages: { attribute: false },
  };

  /** Origin of the server. Default: the origin of the script, or of the page. */
  endpoint = '';

  /** Account of the stream. Not needed with a token. */
  accountId = '';

  /** Name of the stream to play. */
  streamName = '';

  /** Subscribe token, if the stream requires one. Never reflected into the attribute. */
  token = '';

  /** Returns a token: at first, before the current token expires, after a refusal that another token can resolve. */
  tokenProvider: TokenProvider | undefined = undefined;

  /** Whether the viewer starts by itself. Without it nothing is requested before `play()`. */
  autoplay = false;

  /** Whether there are controls. Without them only the picture is shown, and messages that a visitor must see. */
  controls = false;

  /** URL of an image to show before the first picture. */
  poster = '';

  /** Plays the sound alone. No video is requested, which saves the bandwidth for it. */
  audioOnly = false;

  /** Turns the keyboard shortcuts off. */
  noHotkeys = false;

  /** Keeps the controls visible while the visitor is inactive. */
  noAutohide = false;

  /** Ignores clicks on the picture: they do not play, pause or enter fullscreen. */
  gesturesDisabled = false;

  /** Sends the server no reports of what the visitor sees, such as the time to the first picture and freezes. */
  noReports = false;

  /** Whether the visitor can go back where the stream is recorded. Needs `controls`. */
  dvr = false;

  /** Plays nothing, and is not counted, while it is hidden: by its tab, or in a closed dialog and the like. */
  pauseWhenHidden = false;

  /** Texts of your own, by their keys. The language is that of the page, or of `lang`. */
  messages: Partial<Messages> = {};

  /** Whether the sound is off, as of a video. The browser may mute the video if it does not permit sound. */
  declare muted: boolean;

  #rewind: Rewind | undefined;
  #quality: PictureHeight = 'auto';
  #defaultMuted = false;
  readonly #states = this.attachInternals().states;
  readonly #messages = new MessagesController(this, viewerMessages);
  readonly #playback = new Playback(this, this.video);
  readonly #visibility = new VisibilityController(this);
  readonly #provider = stableTokenProvider(() => this.tokenProvider);
  readonly #viewer = new LazyViewer();
  readonly #run = new RunController<ViewerOptions, ViewerPhase>(this, this.#viewer, {
    options: () => this.#options,
    apply: (phase, previous) => this.#playback.show(phase, previous),
    onPhase: (phase, previous) => this.#announce(phase, previous),
  });
  readonly #controls = new ViewerControls(this, this.video, this.#messages, () => this.#rewind?.shown);
  readonly #tracks = new Map<Element, Element>();

  /** The qualities of the video (media-tracks proposal), the largest first. `selectedIndex` selects; -1: automatic. */
  readonly videoRenditions: VideoRenditionList = new VideoRenditionList(this);

  constructor() {
    super();
    shareMediaSession(this, () => Boolean(this.#rewind?.shown));
    this.video.addEventListener('resize', () => this.requestUpdate());
    this.#viewer.addEventListener('layerschange', () => {
      this.requestUpdate();
      this.dispatchEvent(new StreamLayersChangeEvent(this.layers));
    });
    this.#viewer.addEventListener('sourceschange', () =>
      this.dispatchEvent(new StreamSourcesChangeEvent(this.sources)),
    );
  }

  /** Whether the sound is off at first. It has no effect on media that plays, as of a `<video>`: use `muted` there. */
  get defaultMuted(): boolean {
    return this.#defaultMuted;
  }

  set defaultMuted(isMuted: boolean) {
    this.#defaultMuted = isMuted;
    if (!this.video.readyState) this.muted = isMuted;
  }

  /** The largest height to show, such as `720`. `auto`: the server selects the height that the network can carry. */
  get quality(): PictureHeight {
    return this.#quality;
  }

  set quality(quality: PictureHeight) {
    this.#quality = toPictureHeight(this.localName, 'quality', quality);
  }

  /** The state of the viewer. */
  get phase(): ViewerPhase {
    return this.#viewer.phase;
  }

  /** The sources that publish under the stream name. */
  get sources(): readonly StreamSource[] {
    return this.#viewer.sources;
  }

  /** The layers of the video as they arrive at the server, the largest first. */
  get layers(): readonly VideoLayer[] {
    return this.#viewer.layers;
  }

  /**
   * The time from the camera to the screen, in seconds, by the clocks of both computers. Undefined: not known. It is known
   * where the browsers of broadcaster and viewer are Chromium.
   */
  get captureLatency(): number | undefined {
    return this.#viewer.captureLatency;
  }

  /** Whether the viewer is paused. If not, it plays as soon as the stream is live. */
  get paused(): boolean {
    return this.#playback.isPaused;
  }

  /** Whether the broadcast stopped, until it is live again. */
  get ended(): boolean {
    return this.#playback.hasEnded;
  }

  /** As of a `<video>` that cannot play: code 4 after a refusal (`MEDIA_ERR_SRC_NOT_SUPPORTED`), else 2. */
  get error(): Pick<MediaError, 'code' | 'message'> | null {
    return this.#playback.error;
  }

  /** The kind of media, for controls such as media-chrome. */
  get streamType(): 'live' {
    return 'live';
  }

  /** The time from which playback is live, for controls such as media-chrome. `NaN` while nothing plays. */
  get liveEdgeStart(): number {
    return this.phase.name === 'live' && !this.paused ? 0 : NaN;
  }

  /**
   * Plays at the live edge, also after a pause. Resolves when the picture plays; if the stream is not live, it waits
   * for that. If the browser does not permit sound, the video is muted and plays.
   *
   * @throws {DOMException} `NotAllowedError`: the browser plays nothing before a click. `AbortError`: `pause()` was
   * called, or the tag was removed, first. `NotSupportedError`: the server refused, or the viewer failed.
   */
  play(): Promise<void> {
    return this.#playback.play();
  }

  /** Stops the picture and the sound. The viewer stays connected. */
  pause(): void {
    this.#playback.pause();
  }

  /** Tries again after a refusal or a failure. */
  retry(): void {
    this.#run.restart();
  }

  /** Statistics of the connection (W3C webrtc-stats); undefined while there is none. */
  getStats(): Promise<RTCStatsReport | undefined> {
    return this.#viewer.getStats();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.dvr && changed.has('dvr')) this.#loadRewind().catch(() => {});
    if (changed.has('poster')) this.video.poster = this.poster;
    // First, because a listener may select one.
    this.videoRenditions.update(this.layers);
    const { quality } = this;
    // A server that cannot select a layer sends what it has.
    if (changed.has('quality'))
      this.#viewer.select(quality === 'auto' ? quality : { maxHeight: quality }).catch(() => {});
    if (this.autoplay && this.isConnected) this.#playback.autoplay();
  }

  protected override update(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot!.activeElement;
    super.update(changed);
    // The focused button may have disappeared.
    if (focused && !focused.checkVisibility()) this.#controls.focus();
  }

  protected override updated(): void {
    const { phase, paused, muted } = this;
    const { videoWidth, videoHeight } = this.#rewind?.shown ?? this.video;
    const isFitted = videoWidth > 0 && getComputedStyle(this.video).objectFit === 'contain';
    const box = this.shadowRoot!.querySelector<HTMLElement>('.box')!;
    box.style.setProperty('--tall', isFitted ? String(videoHeight / videoWidth) : '');
    const isInactive = this.#controls.isUserInactive;
    const { videoPaused, interrupted } = phase.name === 'live' ? phase : {};
    const isBlank = hasNoVideo(this) || !(this.#playback.hasPicture || (phase.name !== 'waiting' && videoWidth));
    // WebKit hides the poster of a video when it begins to play, also if there is no picture yet, or only sound.
    this.video.style.backgroundImage = this.poster && isBlank ? `url(${JSON.stringify(this.poster)})` : '';
    setCustomStates(
      this.#states,
      phase.name,
      paused && 'paused',
      muted && 'muted',
      isInactive && 'user-inactive',
      videoPaused && 'video-paused',
      interrupted && 'interrupted',
    );
  }

  protected override render(): TemplateResult {
    const messages = this.#messages.current;
    const status = this.#status;
    return html`
      <div
        class="box ${this.#controls.isUserInactive ? 'user-inactive' : ''} ${status.variant === 'cover' ? 'covered' : ''} ${this.#controls.hasNoVideo ? 'audio' : ''}"
        role="group"
        tabindex="-1"
        lang=${this.#messages.lang}
        dir=${messages.dir}
        aria-label=${messages.player}
        @click=${this.#onClick}
      >
        ${this.video}
        <div role="status">${statusArea(status, messages.tryAgain, () => this.retry())}</div>
        ${this.#rewind?.render()} ${this.#prompt} ${this.#controls.render()}
        <slot hidden @slotchange=${this.#onTracks}></slot>
      </div>
    `;
  }

  get #status(): Status {
    const { isPaused, hasPicture } = this.#playback;
    const { onLine: isOnline } = navigator;
    const isBare = !this.poster && hasNoVideo(this);
    const context = { missing: this.#missing, isPaused, hasPicture, isOnline, isBare };
    const status = viewerStatus(this.phase, context, this.#messages.current);
    // What covers the picture would hide the recording.
    const isCover = status.variant === 'cover' || status.variant === 'clear';
    return this.#rewind?.shown && isCover ? { variant: 'visually-hidden' } : status;
  }

  /** The button over the picture that plays, returns to live, or unmutes. */
  get #prompt(): TemplateResult | typeof nothing {
    const messages = this.#messages.current;
    const { phase, paused } = this;
    const { isBlocked, isSoundBlocked } = this.#playback;
    const canPlay = this.#rewind?.shown || (phase.name === 'idle' && !this.#missing);
    if (paused && (canPlay || phase.name === 'live') && (this.controls || isBlocked))
      return playOverlay(canPlay ? messages.play : messages.backToLive, () => togglePlay(this));
    return isSoundBlocked && phase.name === 'live'
      ? unmutePrompt(messages.tapForSound, () => toggleSound(this))
      : nothing;
  }

  /** The message about an option that the page has to set before anything can be requested. */
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
    // A recording pauses, and keeps its place.
    const isHidden = this.#visibility.isHidden && !this.#rewind?.shown;
    if (!this.#playback.hasBegun || this.#missing || isHidden) return undefined;
    const { accountId, streamName, token, video, audioOnly, noReports } = this;
    const tokenProvider = this.#provider();
    return { endpoint: this.#origin, accountId, streamName, token, tokenProvider, video, audioOnly, noReports };
  }

  async #loadRewind(): Promise<void> {
    const { Rewind } = await import('./rewind/rewind.js');
    const viewer = this.#viewer;
    this.#rewind ??= new Rewind(this, this.video, {
      origin: () => this.#origin,
      command: viewer.command.bind(viewer),
      isHidden: () => this.#visibility.isHidden,
    });
  }

  #announce(phase: ViewerPhase, previous: ViewerPhase): void {
    for (const event of viewerEvents(phase, previous, this.streamName)) this.dispatchEvent(event);
    if (phase.name === 'rejected') warnOfRefusal(this.localName, this.#origin, phase.reason);
  }

  #onClick(event: PointerEvent): void {
    // Buttons and slots over the picture handle their own clicks.
    if (event.target !== this.video && event.target !== event.currentTarget) return;
    if (this.#playback.isSoundBlocked) toggleSound(this);
    else if (this.controls) this.#controls.onPicture(event);
  }

  #onTracks({ target }: Event): void {
    cloneTracks((target as HTMLSlotElement).assignedElements(), this.video, this.#tracks);
  }
}
