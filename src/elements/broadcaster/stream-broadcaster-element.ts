import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { isOver, type BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import type { BroadcasterOptions, VideoCodec } from '../../client/broadcaster/broadcaster.js';
import type { TokenProvider } from '../../client/authorization/token-provider.js';
import { CopyController } from '../copy-controller.js';
import { defaultEndpoint } from '../default-endpoint.js';
import { StreamCaptureErrorEvent } from '../events.js';
import { stableTokenProvider } from '../stable-token-provider.js';
import { RunController } from '../run-controller.js';
import { sharedStyles } from '../shared-styles.js';
import { setSourceObject } from '../source-object.js';
import { setCustomStates } from '../custom-states.js';
import { warnOfRefusal } from '../warnings.js';
import { broadcasterMessages } from '../i18n/en.js';
import { MessagesController } from '../i18n/messages-controller.js';
import type { Messages } from '../i18n/messages.js';
import { codecOf, numberOf } from './attribute-converters.js';
import { broadcasterEvents } from './live/broadcaster-events.js';
import { CaptureController } from './devices/capture-controller.js';
import { deviceRow } from './devices/device-row.js';
import { goLiveButton } from './live/go-live-button.js';
import { HealthController } from './health/health-controller.js';
import { healthPanel, healthSentence } from './health/health-panel.js';
import { permissionPrompt } from './devices/permission-prompt.js';
import { LazyBroadcaster } from './live/lazy-broadcaster.js';
import { LeaveGuardController } from './live/leave-guard-controller.js';
import { LevelMeterController } from './devices/level-meter-controller.js';
import { notices } from './live/notices.js';
import { liveStatus } from './live/live-status.js';
import { resumeStorage } from './live/resume-storage.js';
import { screenButton } from './devices/screen-button.js';
import { settingsPanel } from './devices/settings-panel.js';
import { sharePanel } from './share/share-panel.js';
import { preview } from './devices/preview.js';
import { broadcasterStyles } from './stream-broadcaster-styles.js';

// Declares the events for every page that knows this class: the compiler reaches it from each entry with the tag.
import '../events.js';

/**
 * Sends camera, microphone and screen live: a preview, pickers for the devices, and one button.
 * Nothing is sent before that button is pressed.
 *
 * @summary A live broadcaster.
 * @tag stream-broadcaster
 *
 * @slot intro - Replaces the words above the button that asks for camera and microphone. What went wrong is shown below it.
 * @slot share - More ways to share, below the link for viewers.
 *
 * @csspart video - The preview.
 * @csspart cover - What lies over the preview when there is none.
 * @csspart badge - The live badge.
 * @csspart viewers - The number of people who watch.
 * @csspart panel - The box with the controls.
 * @csspart button - Every button.
 * @csspart go - The button that goes live and stops.
 * @csspart settings - What can be chosen of picture and sound.
 * @csspart health - How the broadcast goes, in words and figures.
 * @csspart share - The link for viewers and the code for a website.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-panel=#191b20] - Colour behind the controls; where `color-scheme` is light, #f3f4f6.
 * @cssprop [--stream-panel-text=#fff] - Colour of the texts on it; where `color-scheme` is light, #16181d.
 * @cssprop [--stream-object-fit=contain] - How the picture fills its box.
 * @cssprop [--stream-accent=#e5484d] - Colour of the live badge and of the button.
 * @cssprop [--stream-radius=0] - Roundness of the corners.
 * @cssprop [--stream-font=system-ui, sans-serif] - Typeface of the texts.
 *
 * @cssstate idle - As the next ones: the name of the phase.
 * @cssstate starting
 * @cssstate live
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 * @cssstate sharing - Besides: a screen goes out, or would.
 * @cssstate camera-off - Besides: the picture is switched off.
 * @cssstate microphone-off - Besides: the microphone is muted.
 *
 * @fires {StreamPhaseChangeEvent} stream-phase-change - `phase` changed. Sent before the events that say what the change means.
 * @fires {StreamLiveEvent} stream-live - The broadcast goes out, or again after a break.
 * @fires {StreamEndedEvent} stream-ended - The broadcast is over.
 * @fires {StreamRejectedEvent} stream-rejected - The service said no.
 * @fires {StreamErrorEvent} stream-error - A break that is being mended, or a fault that cannot be.
 * @fires {StreamCaptureErrorEvent} stream-capture-error - Camera, microphone or screen could not be opened.
 * @fires {StreamViewerCountEvent} stream-viewer-count - Another number of people watches.
 */
export class StreamBroadcasterElement extends LitElement {
  static override styles = [sharedStyles, broadcasterStyles];

  /** Origin of the server. Absent: where the script came from, or the page's own. */
  @property({ attribute: 'endpoint', useDefault: true }) endpoint = '';

  /** Account the stream belongs to. The token tells it already. */
  @property({ attribute: 'account-id', useDefault: true }) accountId = '';

  /** Name to go live under. */
  @property({ attribute: 'stream-name', useDefault: true }) streamName = '';

  /** Publish token. Never reflected into the attribute. */
  @property({ attribute: 'token', useDefault: true }) token = '';

  /** Gets a token when one is wanted: at first, before the present one runs out, and after a no that another can cure. */
  @property({ attribute: false }) tokenProvider: TokenProvider | undefined;

  /** Video codec to send. VP8 plays everywhere. */
  @property({ attribute: 'codec', converter: codecOf, useDefault: true }) codec: VideoCodec = 'vp8';

  /** Sends the picture in up to three sizes, so that each viewer gets the one that its network carries. */
  @property({ attribute: 'simulcast', type: Boolean }) simulcast = false;

  /** Height of the picture in pixels. The camera gives what comes nearest. */
  @property({ attribute: 'resolution', converter: numberOf, useDefault: true }) resolution = 720;

  /** Pictures a second. */
  @property({ attribute: 'frame-rate', converter: numberOf, useDefault: true }) frameRate = 30;

  /** The most that the video may take, in bit/s. 0: what the network carries. */
  @property({ attribute: 'max-bitrate', converter: numberOf, useDefault: true }) maxBitrate = 0;

  /** Takes out of the sound what the loudspeakers play. */
  @property({ attribute: false }) echoCancellation = true;

  /** Takes hiss and hum out of the sound. */
  @property({ attribute: false }) noiseSuppression = true;

  /** Brings quiet and loud voices to one volume. */
  @property({ attribute: false }) autoGainControl = true;

  /** Where viewers watch: shown for copying. Whoever is given it has what is in it, a token too. */
  @property({ attribute: 'viewer-url', useDefault: true }) viewerUrl = '';

  /** Media to send in the place of camera and microphone: of a canvas, a file, Web Audio. Its tracks stay yours to stop. */
  @property({ attribute: false }) srcObject: MediaStream | null = null;

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  @property({ attribute: false }) messages: Partial<Messages> = {};

  #wantsLive = false;
  readonly #internals = this.attachInternals();
  readonly #words = new MessagesController(this, broadcasterMessages);
  readonly #provider = stableTokenProvider(() => this.tokenProvider);
  readonly #broadcaster = new LazyBroadcaster();
  readonly #capture = new CaptureController(this, {
    given: () => this.srcObject ?? undefined,
    wishes: () => {
      const { resolution: height, frameRate, echoCancellation, noiseSuppression, autoGainControl } = this;
      return { height, frameRate, echoCancellation, noiseSuppression, autoGainControl };
    },
    onReplace: async (track) => {
      if (this.#isOn) await this.#broadcaster.replaceTrack(track);
    },
    onError: (error) => this.dispatchEvent(new StreamCaptureErrorEvent(error)),
    onKinds: () => {
      // Whoever opens a camera later must not find it on the air at once.
      if (!this.#capture.media) this.stop();
      else if (this.#isOn) {
        this.#broadcaster.stop();
        this.#run.restart();
      }
    },
  });
  readonly #copying = new CopyController(this);
  readonly #level = new LevelMeterController(
    this,
    () => this.#capture.device('audio'),
    (level) => this.#showLevel(level),
  );
  /** Updates this element every second while it is live, and so the time on the air goes on. */
  readonly #health = new HealthController(this, {
    getStats: () => this.#broadcaster.getStats(),
    isWanted: () => this.isConnected && this.phase.name === 'live',
  });
  readonly #run = new RunController<BroadcasterOptions, BroadcasterPhase>(this, this.#broadcaster, {
    options: () => (this.#wantsLive ? this.#options : undefined),
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  constructor() {
    super();
    this.addController(new LeaveGuardController(() => this.isConnected && this.#isOn));
  }

  /** Where the broadcast stands. While it is live, the account it belongs to is in there. */
  get phase(): BroadcasterPhase {
    return this.#broadcaster.phase;
  }

  /** Asks for camera and microphone and shows the preview. */
  openCamera(): Promise<void> {
    return this.#capture.open();
  }

  /** Lets the person choose a screen, a window or a tab to send in the place of the camera. Needs a click of theirs. */
  shareScreen(): Promise<void> {
    return this.#capture.shareScreen();
  }

  /** Sends the camera again, as it was. */
  stopScreen(): Promise<void> {
    return this.#capture.stopScreen();
  }

  /**
   * Goes live, as the button does. Without a camera or a token nothing happens until there is one. A broadcast that is
   * on, or about to be, goes on as it is.
   */
  goLive(): void {
    this.#wantsLive = true;
    this.requestUpdate();
  }

  /** Ends the broadcast at once. The preview stays. */
  stop(): void {
    this.#wantsLive = false;
    this.#run.forget();
    this.#broadcaster.stop();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is put back must not be on the air before anybody pressed the button again. Who is moved is back at once.
    queueMicrotask(() => (this.#wantsLive &&= this.isConnected));
  }

  /** Drawn, it has time for what going live will need. */
  protected override firstUpdated(): void {
    this.#broadcaster.prepare();
  }

  protected override updated(): void {
    const { isSharing } = this.#capture;
    const picture = this.#capture.track('video');
    setCustomStates(
      this.#internals,
      this.phase.name,
      isSharing && 'sharing',
      picture?.enabled === false && 'camera-off',
      this.#capture.device('audio')?.enabled === false && 'microphone-off',
    );
    setSourceObject(this.renderRoot.querySelector('video')!, this.#capture.media);
  }

  protected override render(): TemplateResult {
    const { lang, current: words } = this.#words;
    const screen = screenButton(words, this.#capture, this.#isGiven);
    return html`
      <div class="words" lang=${lang} dir=${words.dir} role="group" aria-label=${words.broadcaster}>
        ${preview(words, this.#capture, permissionPrompt(words, this.#capture, this.#allow, screen), liveStatus(this.#words, this.phase))}
        ${this.#capture.media ? this.#panel(screen) : nothing}
      </div>
    `;
  }

  #panel(screen: TemplateResult | typeof nothing): TemplateResult {
    const { phase } = this;
    const { current: words } = this.#words;
    const { verdict, current: health } = this.#health;
    const isReady = Boolean(this.streamName && (this.token || this.tokenProvider));
    return html`
      <div part="panel" class="panel">
        ${notices(words, phase, this.#capture, this.#level.isSilent, isReady)}
        ${deviceRow(words, this.#capture, 'audio', this.#isGiven)}
        ${deviceRow(words, this.#capture, 'video', this.#isGiven)} ${screen}
        ${goLiveButton(words, phase, this.#options && (() => this.goLive()), () => this.stop())}
        <div class="more">
          ${settingsPanel(this.#words, this, this.#isOn, (changed) => Object.assign(this, changed))}
          ${phase.name === 'live' ? healthPanel(this.#words, verdict, health) : nothing}
          ${sharePanel(words, this.viewerUrl, this.#copying)}
        </div>
        <span class="told" role="status"
          >${verdict === 'good' ? nothing : healthSentence(words, verdict, health?.height)}</span
        >
      </div>
    `;
  }

  get #isOn(): boolean {
    return !isOver(this.phase);
  }

  get #isGiven(): boolean {
    return this.srcObject !== null;
  }

  readonly #allow = async (): Promise<void> => {
    await this.openCamera();
    await this.updateComplete;
    // The button that was pressed is gone.
    this.renderRoot.querySelector<HTMLElement>('.go')?.focus();
  };

  #showLevel(level: number): void {
    const meter = this.renderRoot.querySelector<HTMLElement>('.level');
    meter?.style.setProperty('--level', String(level));
    meter?.setAttribute('aria-valuenow', String(Math.round(level * 100)));
  }

  get #options(): BroadcasterOptions | undefined {
    const { accountId, streamName, token, codec, simulcast } = this;
    const { media } = this.#capture;
    const maxBitrate = this.maxBitrate > 0 ? this.maxBitrate : undefined;
    const endpoint = this.endpoint || defaultEndpoint();
    const tokenProvider = this.#provider();
    if (!endpoint || !streamName || !(token || tokenProvider) || !media) return undefined;
    const access = { endpoint, accountId, streamName, token, tokenProvider };
    return { ...access, media, codec, simulcast, maxBitrate, resume: resumeStorage };
  }

  #announce(phase: BroadcasterPhase, before: BroadcasterPhase): void {
    if (phase.name === 'rejected' || phase.name === 'failed') {
      // It ended by itself; to stop it now would wipe away why.
      this.#wantsLive = false;
      this.#run.forget();
    }
    for (const event of broadcasterEvents(phase, before)) this.dispatchEvent(event);
    if (phase.name === 'rejected') warnOfRefusal(this.localName, this.endpoint || defaultEndpoint(), phase.reason);
  }
}
