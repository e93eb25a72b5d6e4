import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { BroadcasterPhase } from '../../client/broadcaster-phase.js';
import { Broadcaster, type BroadcasterOptions, type VideoCodec } from '../../client/broadcaster.js';
import type { TokenProvider } from '../../client/token-source.js';
import type { TrackKind } from '../../client/sources.js';
import { CaptureController } from './capture-controller.js';
import { defaultEndpoint } from '../default-endpoint.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  ViewerCountEvent,
} from '../events.js';
import { screenIcon } from './device-icons.js';
import { deviceRow } from './device-row.js';
import { eyeIcon } from '../icons.js';
import { HealthController } from './health-controller.js';
import { healthPanel, healthSentence } from './health-panel.js';
import { latestProvider } from '../latest-provider.js';
import { LeaveGuardController } from './leave-guard-controller.js';
import { LevelController } from './level-controller.js';
import { sentenceFor } from '../refusal-sentence.js';
import { resumeStorage } from './resume-storage.js';
import { RunController } from '../run-controller.js';
import { clockTime, SecondsController } from './seconds-controller.js';
import { settingsPanel, type Settings } from './settings-panel.js';
import { sharePanel } from './share-panel.js';
import { sharedStyles } from '../shared-styles.js';
import { showMedia } from '../show-media.js';
import { showState } from '../show-state.js';
import { spinner } from '../spinner.js';
import { broadcasterWords } from '../words/en.js';
import { WordsController } from '../words/words-controller.js';
import type { Sentence, Words } from '../words/words.js';
import { styles } from './stream-broadcaster-styles.js';

/**
 * Sends camera, microphone and screen live: a preview, pickers for the devices, and one button.
 * Nothing is sent before that button is pressed.
 *
 * @summary A live broadcaster.
 * @tag stream-broadcaster
 *
 * @slot intro - Shown until camera and microphone are allowed. Call `openCamera()` from it.
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
 * @cssstate idle - As the others: the name of the phase.
 * @cssstate starting
 * @cssstate live
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 *
 * @fires {StreamLiveEvent} stream-live - The broadcast goes out, or again after a break.
 * @fires {StreamEndedEvent} stream-ended - The broadcast is over.
 * @fires {StreamRejectedEvent} stream-rejected - The service said no.
 * @fires {StreamErrorEvent} stream-error - A break that is being mended, or a fault that cannot be.
 * @fires {ViewerCountEvent} viewer-count - Another number of people watches.
 */
export class StreamBroadcasterElement extends LitElement {
  static override styles = [sharedStyles, styles];

  /** Origin of the server. Absent: where the script came from, or the page's own. */
  @property() endpoint = '';

  /** Account the stream belongs to. The token tells it already. */
  @property({ attribute: 'account-id' }) accountId = '';

  /** Name to go live under. */
  @property({ attribute: 'stream-name' }) streamName = '';

  /** Publish token. Never reflected into the attribute. */
  @property() token = '';

  /** Gets a token when one is wanted: at first, before the present one runs out, and after a no that another can cure. */
  @property({ attribute: false }) tokenProvider: TokenProvider | undefined;

  /** Video codec to send. VP8 plays everywhere. */
  @property() codec: VideoCodec = 'vp8';

  /** Sends the picture in up to three sizes, so that each viewer gets the one that its network carries. */
  @property({ type: Boolean }) simulcast = false;

  /** Height of the picture in pixels. The camera gives what comes nearest. */
  @property({ type: Number }) resolution = 720;

  /** Pictures a second. */
  @property({ attribute: 'frame-rate', type: Number }) frameRate = 30;

  /** The most that the video may take, in bit/s. 0: what the network carries. */
  @property({ attribute: 'max-bitrate', type: Number }) maxBitrate = 0;

  /** Takes out of the sound what the loudspeakers play. */
  @property({ attribute: false }) echoCancellation = true;

  /** Takes hiss and hum out of the sound. */
  @property({ attribute: false }) noiseSuppression = true;

  /** Brings quiet and loud voices to one volume. */
  @property({ attribute: false }) autoGainControl = true;

  /** Where viewers watch: shown for copying while live. Whoever is given it has what is in it, a token too. */
  @property({ attribute: 'viewer-url' }) viewerUrl = '';

  /** Media to send in the place of camera and microphone: of a canvas, a file, Web Audio. Its tracks stay yours to stop. */
  @property({ attribute: false }) srcObject: MediaStream | null = null;

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  @property({ attribute: false }) words: Partial<Words> = {};

  @state() private wantsLive = false;
  @state() private copied = '';

  readonly #internals = this.attachInternals();
  readonly #words = new WordsController(this, broadcasterWords);
  readonly #provider = latestProvider(() => this.tokenProvider);
  readonly #broadcaster = new Broadcaster();
  readonly #resume = resumeStorage(() => `${this.endpoint || defaultEndpoint()}/${this.accountId}/${this.streamName}`);
  readonly #capture = new CaptureController(this, {
    given: () => this.srcObject ?? undefined,
    wishes: () => {
      const { resolution: height, frameRate, echoCancellation, noiseSuppression, autoGainControl } = this;
      return { height, frameRate, echoCancellation, noiseSuppression, autoGainControl };
    },
    onReplace: async (track) => {
      if (this.#isOn) await this.#broadcaster.replaceTrack(track);
    },
    onKinds: () => {
      // Whoever opens a camera later must not find it on the air at once.
      if (!this.#capture.media) this.wantsLive = false;
      else if (this.#isOn) this.#run.restart();
    },
  });
  readonly #level = new LevelController(
    this,
    () => this.#capture.device('audio'),
    (level) => this.#showLevel(level),
  );
  readonly #health = new HealthController(
    this,
    () => this.#broadcaster.getStats(),
    () => this.isConnected && this.phase.name === 'live',
  );
  readonly #run = new RunController<BroadcasterOptions, BroadcasterPhase>(this, this.#broadcaster, {
    options: () => (this.wantsLive ? this.#options : undefined),
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  constructor() {
    super();
    // The time on the air is shown, and goes on through a break.
    this.addController(new SecondsController(this, () => this.isConnected && this.phase.name === 'live'));
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

  /** Goes live, as the button does. Without a camera or a token nothing happens until there is one. */
  goLive(): void {
    this.wantsLive = true;
    this.#run.restart();
  }

  /** Ends the broadcast. The preview stays. */
  stop(): void {
    this.wantsLive = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is put back must not be on the air before anybody pressed the button again.
    this.wantsLive = false;
  }

  protected override updated(): void {
    showState(this.#internals, this.phase.name);
    showMedia(this.renderRoot.querySelector('video')!, this.#capture.media);
  }

  protected override render(): TemplateResult {
    const { media, isMirror } = this.#capture;
    const picture = this.#capture.track('video');
    const hasPicture = picture?.readyState === 'live' && picture.enabled;
    const { lang, current: words } = this.#words;
    return html`
      <div class="words" lang=${lang} dir=${words.dir} role="group" aria-label=${words.broadcaster}>
        <div class="stage">
          <video
            part="video"
            class="${isMirror ? 'mirrored' : ''} ${hasPicture ? '' : 'off'}"
            autoplay
            playsinline
            muted
            .muted=${true}
          ></video>
          ${media ? (hasPicture ? nothing : this.#cover(html`<span>${words.cameraOff}</span>`)) : this.#intro}
          <div class="bar top">${this.#onAir}</div>
        </div>
        ${media ? this.#panel : nothing}
      </div>
    `;
  }

  #cover(content: TemplateResult): TemplateResult {
    return html`<div part="cover" class="cover">${content}</div>`;
  }

  get #intro(): TemplateResult {
    const { error, isOpening } = this.#capture;
    const words = this.#words.current;
    const [title, next] = words[error?.code ?? 'ready'];
    // The button stays while the browser asks: whoever pressed it by key must not lose the place.
    return this.#cover(html`
      ${
        isOpening
          ? html`<span role="status">${words.askingForDevices}</span>`
          : html`<slot name="intro"><b>${title}</b><span role=${error ? 'alert' : nothing}>${next}</span></slot>`
      }
      <div class="actions">
        <button part="button" class="text bright" aria-disabled=${isOpening} @click=${this.#allow}>
          ${isOpening ? spinner : nothing}${error ? words.tryAgain : words.allowDevices}
        </button>
        ${this.#screenButton}
      </div>
    `);
  }

  get #screenButton(): TemplateResult | typeof nothing {
    const { isSharing } = this.#capture;
    const words = this.#words.current;
    // Phones have no screen to share.
    if (this.srcObject || !(navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia)
      return nothing;
    return html`<button
      part="button"
      class="text screen"
      @click=${() => void (isSharing ? this.stopScreen() : this.shareScreen())}
    >
      ${screenIcon}${isSharing ? words.stopSharingScreen : words.shareScreen}
    </button>`;
  }

  get #onAir(): TemplateResult {
    const { phase } = this;
    const words = this.#words.current;
    const air = phase.name === 'live' ? phase : phase.name === 'reconnecting' ? phase.onAir : undefined;
    return html`
      <span role="status"
        >${phase.name === 'live' ? html`<span part="badge" class="badge live">${words.live}</span>` : nothing}${
          phase.name === 'reconnecting' ? html`<span class="badge">${spinner}${words.reconnecting}</span>` : nothing
        }</span
      >
      ${
        air
          ? html`<span class="badge" role="timer" aria-label=${words.timeOnAir}
              >${clockTime(Date.now() - air.since)}</span
            >`
          : nothing
      }
      ${
        phase.name === 'live'
          ? html`<span part="viewers" class="badge"
              >${eyeIcon}<span aria-hidden="true">${this.#words.number(phase.viewers)}</span
              ><span class="told">${words.watching(phase.viewers, this.#words.number(phase.viewers))}</span></span
            >`
          : nothing
      }
    `;
  }

  get #panel(): TemplateResult {
    const { phase } = this;
    const words = this.#words.current;
    const isGiven = this.srcObject !== null;
    const { verdict, current } = this.#health;
    return html`
      <div part="panel" class="panel">
        ${this.#notices.map(notice)} ${deviceRow(words, this.#capture, 'audio', isGiven)}
        ${deviceRow(words, this.#capture, 'video', isGiven)} ${this.#screenButton}
        <button
          part="button go"
          class="go ${this.#isOn ? 'stop' : ''}"
          ?disabled=${!this.#isOn && !this.#options}
          @click=${this.#isOn ? this.stop : this.goLive}
        >
          ${phase.name === 'starting' ? html`${spinner}${words.cancel}` : this.#isOn ? words.stop : words.goLive}
        </button>
        <div class="more">
          ${settingsPanel(this.#words, this, this.#isOn, (changed: Partial<Settings>) => Object.assign(this, changed))}
          ${phase.name === 'live' ? healthPanel(this.#words, verdict, current) : nothing}
          ${sharePanel(words, this.viewerUrl, this.copied, this.#copy)}
        </div>
        <span class="told" role="status"
          >${verdict === 'good' ? nothing : healthSentence(words, verdict, current?.height)}</span
        >
      </div>
    `;
  }

  /** What is wrong, and what can be done. */
  get #notices(): readonly Sentence[] {
    const { phase } = this;
    const { error, screenEnded } = this.#capture;
    const words = this.#words.current;
    if (phase.name === 'rejected') return [sentenceFor(words, phase.reason, phase.message)];
    if (phase.name === 'failed') return [sentenceFor(words, phase.error.code, phase.error.message)];
    const device = (kind: TrackKind, lost: Sentence): Sentence[] => {
      const loss = this.#capture.loss(kind);
      return loss ? [loss === 'lost' ? lost : words[loss]] : [];
    };
    return [
      ...(error
        ? [words[error.code]]
        : [...device('video', words.cameraLost), ...device('audio', words.microphoneLost)]),
      ...(screenEnded ? [[words.screenEnded, ''] as const] : []),
      ...(this.#level.isSilent ? [[words.noSound, ''] as const] : []),
      ...(this.streamName && (this.token || this.tokenProvider) ? [] : [words.notReady]),
    ];
  }

  get #isOn(): boolean {
    const { name } = this.phase;
    return name === 'starting' || name === 'live' || name === 'reconnecting';
  }

  readonly #allow = async (): Promise<void> => {
    await this.openCamera();
    await this.updateComplete;
    // The button that was pressed is gone.
    this.renderRoot.querySelector<HTMLElement>('.go')?.focus();
  };

  readonly #copy = async (value: string): Promise<void> => {
    // Frames without leave to write to the clipboard: the field is there to be copied from by hand.
    const isDone = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
    if (isDone) this.copied = value;
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
    return { ...access, media, codec, simulcast, maxBitrate, resume: this.#resume };
  }

  #announce(phase: BroadcasterPhase, before: BroadcasterPhase): void {
    const wasOnAir = before.name === 'live' || (before.name === 'reconnecting' && before.onAir);
    if (phase.name === 'live') {
      if (before.name !== 'live') this.dispatchEvent(new StreamLiveEvent(phase.streamName));
      if (before.name !== 'live' || before.viewers !== phase.viewers) {
        this.dispatchEvent(new ViewerCountEvent(phase.viewers));
      }
    } else if (phase.name !== 'reconnecting' && wasOnAir) {
      this.dispatchEvent(new StreamEndedEvent(this.streamName));
    }
    if (phase.name === 'rejected') this.dispatchEvent(new StreamRejectedEvent(phase.reason, phase.message));
    if (phase.name === 'failed' || phase.name === 'reconnecting') this.dispatchEvent(new StreamErrorEvent(phase.error));
    if (phase.name === 'rejected' || phase.name === 'failed') {
      // It ended by itself; to stop it now would wipe away why.
      this.wantsLive = false;
      this.#run.forget();
    }
  }
}

const notice = ([title, next]: Sentence): TemplateResult =>
  html`<p class="notice" role="alert"><b>${title}</b> ${next}</p>`;
