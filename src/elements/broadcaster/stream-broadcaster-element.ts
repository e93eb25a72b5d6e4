// Bundlers keep this order of the modules. Similar texts side by side compress better: `npm run bench -- bundle`.
import { CaptureElement } from './devices/capture-element.js';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { setCustomStates } from '../custom-states.js';
import { isOver, type BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import { RunController } from '../run-controller.js';
import { stableTokenProvider } from '../stable-token-provider.js';
import { WakeLockController } from './live/wake-lock-controller.js';
import { broadcasterEvents } from './live/broadcaster-events.js';
import { MessagesController } from '../i18n/messages-controller.js';
import { resumeStorage } from './live/resume-storage.js';
import { broadcasterMessages } from '../i18n/en.js';
import { permissionPrompt } from './devices/permission-prompt.js';
import { screenButton } from './devices/screen-button.js';
import { warnOfRefusal } from '../warnings.js';
import { streamKey } from '../../client/broadcaster/stream-key.js';
import { liveStatus } from './live/live-status.js';
import { codecOf, numberOf, simulcastOf } from './attribute-converters.js';
import { defaultEndpoint } from '../default-endpoint.js';
import { preview, setSourceObject } from './devices/preview.js';
import { LeaveGuardController } from './live/leave-guard-controller.js';
import { ControlPanel } from './control-panel.js';
import { controlPanelStyles } from './control-panel-styles.js';
import { broadcasterStyles } from './stream-broadcaster-styles.js';
import { sharedStyles } from '../shared-styles.js';
import { LazyBroadcaster } from './live/lazy-broadcaster.js';
import type { BroadcasterOptions, VideoCodec } from '../../client/broadcaster/broadcaster.js';
import type { BroadcasterRecording } from '../../client/broadcaster/broadcaster-recording.js';
import type { TokenProvider } from '../../client/authorization/token-provider.js';
import type { Messages } from '../i18n/messages.js';

import { StreamRecordingChangeEvent } from '../events.js';
import '../events.js';

/**
 * Broadcasts camera, microphone and screen. It has a preview, lists of devices, and a button to go live. Nothing is
 * sent before the button is pressed or `goLive()` is called.
 *
 * @summary A live broadcaster.
 * @tag stream-broadcaster
 *
 * @slot intro - Replaces the text above the button that asks for camera and microphone. Errors are shown below it.
 * @slot share - More ways to share, below the link for viewers.
 *
 * @csspart video - The preview.
 * @csspart cover - The area over the preview while there is no picture.
 * @csspart live-badge - The live badge.
 * @csspart recording-badge - The sign that the broadcast is recorded.
 * @csspart timer - The time since the broadcast went live.
 * @csspart viewer-count - The number of viewers.
 * @csspart spinner - The spinner.
 * @csspart panel - The box with the controls.
 * @csspart notice - A message about a problem.
 * @csspart device-row - The controls of a camera or a microphone.
 * @csspart level-meter - The level of the microphone.
 * @csspart button - Every button.
 * @csspart retry - The button that asks for camera and microphone again.
 * @csspart go-live - The button that starts and stops the broadcast.
 * @csspart record - The button that stops and starts the recording.
 * @csspart settings - The settings of video and audio.
 * @csspart health - The quality of the upload.
 * @csspart statistics - The statistics of the connection, in `health`.
 * @csspart share - The link for viewers and the code for a website.
 *
 * @cssprop [--stream-background=#0b0c0f] - Colour behind the picture.
 * @cssprop [--stream-panel=#191b20] - Colour behind the controls. With a light `color-scheme`: #f3f4f6.
 * @cssprop [--stream-panel-text=#fff] - Colour of the texts of the controls. With a light `color-scheme`: #16181d.
 * @cssprop [--stream-object-fit=contain] - How the picture fills its box.
 * @cssprop [--stream-accent=#e5484d] - Colour of the live badge and of the go-live button.
 * @cssprop [--stream-radius=0] - Radius of the corners.
 * @cssprop [--stream-font=system-ui, sans-serif] - Typeface of the texts.
 *
 * @cssstate idle - The phase is `idle`; so for the next ones.
 * @cssstate starting
 * @cssstate live
 * @cssstate reconnecting
 * @cssstate rejected
 * @cssstate failed
 * @cssstate recording - The broadcast is live and recorded.
 * @cssstate sharing - A screen is shared, in any phase.
 * @cssstate camera-off - The camera is switched off, in any phase.
 * @cssstate microphone-off - The microphone is muted, in any phase.
 *
 * @fires {StreamPhaseChangeEvent} stream-phase-change - `phase` changed. Sent before the events that say what the change means.
 * @fires {StreamLiveEvent} stream-live - The broadcast is live: it began, or the broadcaster reconnected.
 * @fires {StreamEndedEvent} stream-ended - The broadcast is over.
 * @fires {StreamRejectedEvent} stream-rejected - The server refused the broadcast, or ended it.
 * @fires {StreamErrorEvent} stream-error - Something failed; the event says whether the broadcaster tries again.
 * @fires {StreamCaptureErrorEvent} stream-capture-error - Camera, microphone or screen could not be opened.
 * @fires {StreamViewerCountEvent} stream-viewer-count - The number of viewers changed.
 * @fires {StreamRecordingChangeEvent} stream-recording-change - The recording began, ended, or met a fault while the broadcast goes on.
 * @fires {StreamMicrophoneChangeEvent} stream-microphone-change - The microphone was opened, closed, lost, muted or unmuted, or another one was chosen.
 * @fires {StreamCameraChangeEvent} stream-camera-change - The camera was opened, closed, lost, switched off or on, or another one was chosen.
 * @fires {StreamScreenChangeEvent} stream-screen-change - A screen is shared, or no longer.
 * @fires {StreamDevicesChangeEvent} stream-devices-change - Other microphones or cameras can be chosen.
 * @fires {StreamSettingsChangeEvent} stream-settings-change - A setting of the video or the audio changed: resolution, frame rate, bitrate, codec, simulcast, or an audio option.
 */
export class StreamBroadcasterElement extends CaptureElement {
  static override styles = [sharedStyles, controlPanelStyles, broadcasterStyles];

  static override properties: PropertyDeclarations = {
    endpoint: { useDefault: true },
    accountId: { attribute: 'account-id', useDefault: true },
    streamName: { attribute: 'stream-name', useDefault: true },
    sourceId: { attribute: 'source-id', useDefault: true },
    token: { useDefault: true },
    tokenProvider: { attribute: false },
    codec: { converter: codecOf, useDefault: true },
    simulcast: { useDefault: true },
    maxBitrate: { attribute: 'max-bitrate', converter: numberOf, useDefault: true },
    viewerUrl: { attribute: 'viewer-url', useDefault: true },
    messages: { attribute: false },
  };

  /** Origin of the server. Default: the origin of the script, or of the page. */
  endpoint = '';

  /** Account of the stream. Not needed: the token belongs to an account. */
  accountId = '';

  /** Name of the stream to publish. */
  streamName = '';

  /** Id of one of several sources of a stream, 1 to 128 characters. Empty: the main source. */
  sourceId = '';

  /** Publish token. Never reflected into the attribute. */
  token = '';

  /** Returns a token: at first, before the current token expires, and after a refusal that another token can resolve. */
  tokenProvider: TokenProvider | undefined = undefined;

  /**
   * Video codec to send. `auto`: VP8, which every browser plays; if the token records, H.264 or VP9, so that viewers can
   * go back.
   */
  codec: VideoCodec | 'auto' = 'auto';

  /** Limit for the bitrate of the video, in bit/s. 0: no limit but the network. */
  maxBitrate = 0;

  /** The link for viewers, with a button to copy it. Shown unchanged, also with a token in it. */
  viewerUrl = '';

  /** Texts of your own, by their keys. The language is that of the page, or of `lang`. */
  messages: Partial<Messages> = {};

  #simulcast: boolean | 'auto' = 'auto';
  #wantsLive = false;
  readonly #states = this.attachInternals().states;
  readonly #messages = new MessagesController(this, broadcasterMessages);
  readonly #provider = stableTokenProvider(() => this.tokenProvider);
  readonly #broadcaster = new LazyBroadcaster();
  readonly #panel = new ControlPanel(this, {
    messages: this.#messages,
    capture: this.capture,
    getStats: () => this.#broadcaster.getStats(),
    isServerOverloaded: () => this.#broadcaster.serverOverloaded,
    isReady: () => Boolean(this.#origin && this.streamName && (this.token || this.tokenProvider)),
    canGoOn: () => this.#canGoOn,
  });
  readonly #run = new RunController<BroadcasterOptions, BroadcasterPhase>(this, this.#broadcaster, {
    options: () => (this.#wantsLive ? this.#options : undefined),
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  constructor() {
    super();
    this.#broadcaster.addEventListener('recordingchange', () => {
      this.dispatchEvent(new StreamRecordingChangeEvent(this.recording));
      this.requestUpdate();
    });
    const isOn = (): boolean => this.isConnected && this.#isOn;
    this.addController(new LeaveGuardController(isOn));
    this.addController(new WakeLockController(isOn));
  }

  /**
   * Whether the video is sent in up to three sizes, so that each viewer receives one that their network can carry.
   * `auto`: while processor and network have room for it, but not with AV1. The attribute without a value means `true`.
   *
   * @default 'auto'
   */
  get simulcast(): boolean | 'auto' {
    return this.#simulcast;
  }
  set simulcast(simulcast: boolean | 'auto') {
    this.#simulcast = simulcastOf(simulcast);
  }

  /** The state of the broadcast. While it is live, it has the account. */
  get phase(): BroadcasterPhase {
    return this.#broadcaster.phase;
  }

  /** Whether the broadcast is recorded. A token that records does so from the start. */
  get recording(): BroadcasterRecording {
    return this.#broadcaster.recording;
  }

  /**
   * Goes live, as the button does. Without a camera or a token it waits for them. It does nothing while a broadcast is
   * live or starts.
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

  /** Records again after `unrecord`. Rejects if the server refuses. Without a broadcast it does nothing. */
  async record(): Promise<void> {
    await this.#switchRecording(true);
  }

  /** Stops the recording; the broadcast goes on. Rejects as `record` does. */
  async unrecord(): Promise<void> {
    await this.#switchRecording(false);
  }

  async #switchRecording(isOn: boolean): Promise<void> {
    // `goLive` starts the broadcast with the next update.
    if (this.#wantsLive) await this.updateComplete;
    await this.#broadcaster.switchRecording(isOn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A tag that is inserted again must not go live by itself. A tag that is moved is connected before this runs.
    queueMicrotask(() => (this.#wantsLive &&= this.isConnected));
  }

  /** Loads the code for going live after the first render. */
  protected override firstUpdated(): void {
    this.#panel.load();
  }

  protected override updated(): void {
    super.updated();
    setCustomStates(
      this.#states,
      this.phase.name,
      this.phase.name === 'live' && this.recording.name === 'on' && 'recording',
      this.screenSharing && 'sharing',
      this.capture.track('video')?.enabled === false && 'camera-off',
      this.capture.device('audio')?.enabled === false && 'microphone-off',
    );
    setSourceObject(this.renderRoot.querySelector('video')!, this.capture.media);
  }

  protected override render(): TemplateResult {
    const { capture, phase } = this;
    const { lang, current } = this.#messages;
    const screen = screenButton(current, capture, this.srcObject !== null);
    const goesOn = this.#canGoOn;
    const open = goesOn ? this.#goOn : this.#openFromPrompt;
    const prompt = permissionPrompt(current, capture, open, screen, goesOn);
    return html`
      <div class="root" lang=${lang} dir=${current.dir} role="group" aria-label=${current.broadcaster}>
        ${preview(current, capture, prompt, liveStatus(this.#messages, phase, this.recording))}
        ${capture.media ? this.#panel.render(screen) : nothing}
      </div>
    `;
  }

  get #isOn(): boolean {
    return !isOver(this.phase);
  }

  readonly #openFromPrompt = async (): Promise<void> => {
    await this.capture.open();
    await this.updateComplete;
    // The focused button has disappeared.
    this.renderRoot.querySelector<HTMLElement>('.go')?.focus();
  };

  readonly #goOn = async (): Promise<void> => {
    await this.#openFromPrompt();
    if (this.capture.media) this.goLive();
  };

  get #canGoOn(): boolean {
    return this.phase.name === 'idle' && !this.#wantsLive && resumeStorage.wasLeft(this.#streamKey);
  }

  get #streamKey(): string {
    const { accountId, streamName, sourceId } = this;
    return streamKey({ endpoint: this.#origin, accountId, streamName, sourceId: sourceId || undefined });
  }

  get #origin(): string {
    return this.endpoint || defaultEndpoint();
  }

  get #options(): BroadcasterOptions | undefined {
    const { accountId, streamName, token, codec } = this;
    const { media } = this.capture;
    const given = <Value>(value: Value | 'auto'): Value | undefined => (value === 'auto' ? undefined : value);
    const maxBitrate = this.maxBitrate > 0 ? this.maxBitrate : undefined;
    const sourceId = this.sourceId || undefined;
    const endpoint = this.#origin;
    const tokenProvider = this.#provider();
    if (!endpoint || !streamName || !(token || tokenProvider) || !media) return undefined;
    const connection = { endpoint, accountId, streamName, token, tokenProvider };
    return {
      ...connection,
      media,
      codec: given(codec),
      simulcast: given(this.simulcast),
      maxBitrate,
      sourceId,
      resume: resumeStorage,
    };
  }

  protected override async onReplaceTrack(track: MediaStreamTrack): Promise<void> {
    if (this.#isOn) await this.#broadcaster.replaceTrack(track);
  }

  protected override onKindsChange(): void {
    // A camera that is opened later must not be live at once.
    if (!this.capture.media) this.stop();
    else if (this.#isOn) {
      this.#broadcaster.stop();
      this.#run.restart();
    }
  }

  #announce(phase: BroadcasterPhase, before: BroadcasterPhase): void {
    if (phase.name === 'rejected' || phase.name === 'failed') {
      // The broadcast has ended by itself. A stop would remove the reason from `phase`.
      this.#wantsLive = false;
      this.#run.forget();
    }
    for (const event of broadcasterEvents(phase, before)) this.dispatchEvent(event);
    if (phase.name === 'rejected') warnOfRefusal(this.localName, this.#origin, phase.reason);
  }
}
