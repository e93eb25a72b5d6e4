import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { BroadcasterPhase } from '../../client/broadcaster-phase.js';
import { Broadcaster, type BroadcasterOptions, type VideoCodec } from '../../client/broadcaster.js';
import type { TokenProvider } from '../../client/token-source.js';
import { CaptureController, type TrackKind } from './capture-controller.js';
import { defaultEndpoint } from '../default-endpoint.js';
import {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  ViewerCountEvent,
} from '../events.js';
import { cameraIcon, cameraOffIcon, microphoneIcon, microphoneOffIcon } from './device-icons.js';
import { eyeIcon } from '../icons.js';
import { latestProvider } from '../latest-provider.js';
import { sentenceFor } from '../refusal-sentence.js';
import { resumeStorage } from './resume-storage.js';
import { RunController } from '../run-controller.js';
import { clockTime, SecondsController } from './seconds-controller.js';
import { sharedStyles } from '../shared-styles.js';
import { showMedia } from '../show-media.js';
import { showState } from '../show-state.js';
import { spinner } from '../spinner.js';
import { broadcasterWords } from '../words/en.js';
import { WordsController } from '../words/words-controller.js';
import type { Sentence, Words } from '../words/words.js';
import { styles } from './stream-broadcaster-styles.js';

/**
 * Sends the camera and the microphone live: a preview, pickers for the devices, and one button.
 * Nothing is sent before that button is pressed.
 *
 * @summary A live broadcaster.
 * @tag stream-broadcaster
 *
 * @slot intro - Shown until camera and microphone are allowed. Call `openCamera()` from it.
 *
 * @csspart video - The preview.
 * @csspart cover - What lies over the preview when there is none.
 * @csspart badge - The live badge.
 * @csspart viewers - The number of people who watch.
 * @csspart panel - The box with the controls.
 * @csspart button - Every button.
 * @csspart go - The button that goes live and stops.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-panel=#191b20] - Colour behind the controls.
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

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  @property({ attribute: false }) words: Partial<Words> = {};

  @state() private wantsLive = false;

  readonly #internals = this.attachInternals();
  readonly #words = new WordsController(this, broadcasterWords);
  readonly #provider = latestProvider(() => this.tokenProvider);
  readonly #broadcaster = new Broadcaster();
  readonly #resume = resumeStorage(() => `${this.endpoint || defaultEndpoint()}/${this.accountId}/${this.streamName}`);
  readonly #capture = new CaptureController(this, {
    onReplace: async (track) => {
      if (this.wantsLive) await this.#broadcaster.replaceTrack(track);
    },
  });
  readonly #run = new RunController<BroadcasterOptions, BroadcasterPhase>(this, this.#broadcaster, {
    options: () => (this.wantsLive ? this.#options : undefined),
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  constructor() {
    super();
    // The time on the air is shown, and goes on through a break.
    this.addController(new SecondsController(this, () => this.isConnected && this.phase.name === 'live'));
  }

  /** Where the broadcast stands. While it is live, the account it belongs to is in there. */
  get phase(): BroadcasterPhase {
    return this.#broadcaster.phase;
  }

  /** Asks for camera and microphone and shows the preview. */
  openCamera(): Promise<void> {
    return this.#capture.open();
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
    const { media } = this.#capture;
    const hasVideo = this.#capture.track('video')?.enabled ?? false;
    const { lang, current: words } = this.#words;
    return html`
      <div class="words" lang=${lang} dir=${words.dir}>
        <div class="stage">
          <video
            part="video"
            class="mirrored ${hasVideo ? '' : 'off'}"
            autoplay
            playsinline
            muted
            .muted=${true}
          ></video>
          ${media ? (hasVideo ? nothing : this.#cover(html`<span>${words.cameraOff}</span>`)) : this.#intro}
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
    if (isOpening) return this.#cover(html`${spinner}<span>${words.askingForDevices}</span>`);
    const [title, next] = words[error?.code ?? 'ready'];
    return this.#cover(html`
      <slot name="intro"><b>${title}</b><span role=${error ? 'alert' : nothing}>${next}</span></slot>
      <button part="button" class="text bright" @click=${this.openCamera}>
        ${error ? words.tryAgain : words.allowDevices}
      </button>
    `);
  }

  get #onAir(): TemplateResult | typeof nothing {
    const { phase } = this;
    const words = this.#words.current;
    const air = phase.name === 'live' ? phase : phase.name === 'reconnecting' ? phase.onAir : undefined;
    return html`
      <span role="status"
        >${phase.name === 'live' ? html`<span part="badge" class="badge live">${words.live}</span>` : nothing}${
          phase.name === 'reconnecting' ? html`<span class="badge">${spinner}${words.reconnecting}</span>` : nothing
        }</span
      >
      ${air ? html`<span class="badge" role="timer">${clockTime(Date.now() - air.since)}</span>` : nothing}
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
    const isOn = phase.name === 'starting' || phase.name === 'live' || phase.name === 'reconnecting';
    return html`
      <div part="panel" class="panel">
        ${this.#notice(phase)}
        ${this.#device('audio', [words.microphone, words.turnOffMicrophone], [microphoneIcon, microphoneOffIcon], this.#capture.devices.microphones)}
        ${this.#device('video', [words.camera, words.turnOffCamera], [cameraIcon, cameraOffIcon], this.#capture.devices.cameras)}
        ${
          isOn
            ? html`<button part="button go" class="go stop" @click=${this.stop}>
                ${phase.name === 'starting' ? html`${spinner}${words.cancel}` : words.stop}
              </button>`
            : html`<button part="button go" class="go" ?disabled=${!this.#options} @click=${this.goLive}>
                ${words.goLive}
              </button>`
        }
      </div>
    `;
  }

  #notice(phase: BroadcasterPhase): TemplateResult | typeof nothing {
    const { error } = this.#capture;
    const words = this.#words.current;
    if (phase.name === 'rejected') return notice(sentenceFor(words, phase.reason, phase.message));
    if (phase.name === 'failed') return notice(sentenceFor(words, phase.error.code, phase.error.message));
    if (error) return notice(words[error.code]);
    if (!this.streamName || !(this.token || this.tokenProvider)) return notice(words.notReady);
    return nothing;
  }

  #device(
    kind: TrackKind,
    [name, turnOff]: readonly [name: string, turnOff: string],
    [on, off]: readonly [unknown, unknown],
    devices: readonly MediaDeviceInfo[],
  ): TemplateResult | typeof nothing {
    const track = this.#capture.track(kind);
    if (!track) return nothing;
    const chosen = track.getSettings().deviceId;
    return html`
      <div class="device">
        <button
          part="button"
          aria-label=${turnOff}
          aria-pressed=${!track.enabled}
          @click=${() => this.#capture.toggle(kind)}
        >
          ${track.enabled ? on : off}
        </button>
        <label
          ><span class="told">${name}</span
          ><select @change=${(event: Event) => this.#choose(kind, event)}>
            ${devices.map(
              ({ deviceId, label }) =>
                html`<option value=${deviceId} ?selected=${deviceId === chosen}>${label || name}</option>`,
            )}
          </select></label
        >
      </div>
    `;
  }

  #choose(kind: TrackKind, { target }: Event): void {
    if (target instanceof HTMLSelectElement) void this.#capture.choose(kind, target.value);
  }

  get #options(): BroadcasterOptions | undefined {
    const { accountId, streamName, token, codec, simulcast } = this;
    const { media } = this.#capture;
    const endpoint = this.endpoint || defaultEndpoint();
    const tokenProvider = this.#provider();
    return endpoint && streamName && (token || tokenProvider) && media
      ? { endpoint, accountId, streamName, token, tokenProvider, codec, simulcast, media, resume: this.#resume }
      : undefined;
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
