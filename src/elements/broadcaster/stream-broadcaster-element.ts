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
import { HealthController } from './health-controller.js';
import { healthPanel, healthSentence } from './health-panel.js';
import { latestProvider } from '../latest-provider.js';
import { LeaveGuardController } from './leave-guard-controller.js';
import { LevelController } from './level-controller.js';
import { cover, intro } from './intro.js';
import { notices } from './notices.js';
import { onAir } from './on-air.js';
import { spinner } from './spinner.js';
import { resumeStorage } from './resume-storage.js';
import { RunController } from '../run-controller.js';
import { SecondsController } from './seconds-controller.js';
import { CODECS, settingsPanel } from './settings-panel.js';
import { sharePanel } from './share-panel.js';
import { sharedCss } from '../shared-css.js';
import { showMedia } from '../show-media.js';
import { showState } from '../show-state.js';
import { broadcasterWords } from '../words/en.js';
import { WordsController } from '../words/words-controller.js';
import type { Words } from '../words/words.js';
import { ReactiveHost } from '../viewer/reactive-host.js';
import { broadcasterCss } from './stream-broadcaster-css.js';
import { draw, h, type View } from './view.js';

/** What each attribute that is there, or not, makes of its property. */
const ATTRIBUTES: Readonly<Record<string, (tag: StreamBroadcasterElement, value: string | null) => void>> = {
  endpoint: (tag, value) => (tag.endpoint = value ?? ''),
  'account-id': (tag, value) => (tag.accountId = value ?? ''),
  'stream-name': (tag, value) => (tag.streamName = value ?? ''),
  token: (tag, value) => (tag.token = value ?? ''),
  codec: (tag, value) => (tag.codec = value && Object.hasOwn(CODECS, value) ? (value as VideoCodec) : DEFAULTS.codec),
  simulcast: (tag, value) => (tag.simulcast = value !== null),
  resolution: (tag, value) => (tag.resolution = Number(value) || DEFAULTS.resolution),
  'frame-rate': (tag, value) => (tag.frameRate = Number(value) || DEFAULTS.frameRate),
  'max-bitrate': (tag, value) => (tag.maxBitrate = Number(value) || DEFAULTS.maxBitrate),
  'viewer-url': (tag, value) => (tag.viewerUrl = value ?? ''),
};

const DEFAULTS = {
  endpoint: '',
  accountId: '',
  streamName: '',
  token: '',
  tokenProvider: undefined,
  codec: 'vp8' as VideoCodec,
  simulcast: false,
  resolution: 720,
  frameRate: 30,
  maxBitrate: 0,
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  viewerUrl: '',
  srcObject: null,
  words: {},
};

let sheet: CSSStyleSheet | undefined;

/** One for all. Not in the module itself: a server has no style sheets. */
function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(sharedCss + broadcasterCss);
  }
  return sheet;
}

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
 * @fires {StreamLiveEvent} stream-live - The broadcast goes out, or again after a break.
 * @fires {StreamEndedEvent} stream-ended - The broadcast is over.
 * @fires {StreamRejectedEvent} stream-rejected - The service said no.
 * @fires {StreamErrorEvent} stream-error - A break that is being mended, or a fault that cannot be.
 * @fires {ViewerCountEvent} viewer-count - Another number of people watches.
 */
export class StreamBroadcasterElement extends ReactiveHost {
  static readonly observedAttributes = Object.keys(ATTRIBUTES);

  /**
   * Origin of the server. Absent: where the script came from, or the page's own.
   * @attr endpoint
   */
  declare endpoint: string;

  /**
   * Account the stream belongs to. The token tells it already.
   * @attr account-id
   */
  declare accountId: string;

  /**
   * Name to go live under.
   * @attr stream-name
   */
  declare streamName: string;

  /**
   * Publish token. Never reflected into the attribute.
   * @attr token
   */
  declare token: string;

  /** Gets a token when one is wanted: at first, before the present one runs out, and after a no that another can cure. */
  declare tokenProvider: TokenProvider | undefined;

  /**
   * Video codec to send. VP8 plays everywhere.
   * @attr codec
   */
  declare codec: VideoCodec;

  /**
   * Sends the picture in up to three sizes, so that each viewer gets the one that its network carries.
   * @attr simulcast
   */
  declare simulcast: boolean;

  /**
   * Height of the picture in pixels. The camera gives what comes nearest.
   * @attr resolution
   */
  declare resolution: number;

  /**
   * Pictures a second.
   * @attr frame-rate
   */
  declare frameRate: number;

  /**
   * The most that the video may take, in bit/s. 0: what the network carries.
   * @attr max-bitrate
   */
  declare maxBitrate: number;

  /** Takes out of the sound what the loudspeakers play. */
  declare echoCancellation: boolean;

  /** Takes hiss and hum out of the sound. */
  declare noiseSuppression: boolean;

  /** Brings quiet and loud voices to one volume. */
  declare autoGainControl: boolean;

  /**
   * Where viewers watch: shown for copying. Whoever is given it has what is in it, a token too.
   * @attr viewer-url
   */
  declare viewerUrl: string;

  /** Media to send in the place of camera and microphone: of a canvas, a file, Web Audio. Its tracks stay yours to stop. */
  declare srcObject: MediaStream | null;

  /** Words of your own in the place of ours, by their keys. Languages: see `lang`. */
  declare words: Partial<Words>;

  static {
    for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
      Object.defineProperty(this.prototype, name, {
        get(this: StreamBroadcasterElement) {
          return this.#values[name];
        },
        set(this: StreamBroadcasterElement, value: unknown) {
          if (this.#values[name] === value) return;
          this.#values = { ...this.#values, [name]: value };
          this.requestUpdate();
        },
      });
    }
  }

  #values = DEFAULTS;
  #wantsLive = false;
  /** What was copied last. */
  #copied = '';
  readonly #root = this.attachShadow({ mode: 'open' });
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
      if (!this.#capture.media) this.stop();
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
    options: () => (this.#wantsLive ? this.#options : undefined),
    onPhase: (phase, before) => this.#announce(phase, before),
  });

  constructor() {
    super();
    // What the page set before this class was there lies over its accessors.
    for (const name of Object.keys(DEFAULTS)) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#root.adoptedStyleSheets = [styleSheet()];
    // The time on the air is shown, and goes on through a break.
    this.addController(new SecondsController(this, () => this.isConnected && this.phase.name === 'live'));
    this.addController(new LeaveGuardController(() => this.isConnected && this.#isOn));
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    ATTRIBUTES[name]?.(this, value);
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
    this.#wantsLive = true;
    this.#run.restart();
  }

  /** Ends the broadcast. The preview stays. */
  stop(): void {
    this.#wantsLive = false;
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is put back must not be on the air before anybody pressed the button again. Who is moved is back at once.
    queueMicrotask(() => (this.#wantsLive &&= this.isConnected));
  }

  protected update(): void {
    draw(this.#root, [this.#view]);
    const isOff = (kind: TrackKind): boolean => !(this.#capture.track(kind)?.enabled ?? true);
    showState(
      this.#internals,
      this.phase.name,
      this.#capture.isSharing && 'sharing',
      isOff('video') && 'camera-off',
      this.#capture.device('audio')?.enabled === false && 'microphone-off',
    );
    showMedia(this.#root.querySelector('video')!, this.#capture.media);
  }

  get #view(): View {
    const { media, isMirror } = this.#capture;
    const picture = this.#capture.track('video');
    const hasPicture = picture?.readyState === 'live' && picture.enabled;
    const { lang, current: words } = this.#words;
    const video = h('video', {
      part: 'video',
      class: `${isMirror ? 'mirrored' : ''} ${hasPicture ? '' : 'off'}`,
      autoplay: true,
      playsinline: true,
      muted: true,
    });
    const over = media
      ? !hasPicture && cover(h('span', {}, words.cameraOff))
      : intro(words, this.#capture, this.#allow, this.#screenButton);
    return h(
      'div',
      { class: 'words', lang, dir: words.dir, role: 'group', 'aria-label': words.broadcaster },
      h('div', { class: 'stage' }, video, over, h('div', { class: 'bar top' }, ...onAir(this.#words, this.phase))),
      media && this.#panel,
    );
  }

  get #screenButton(): View | undefined {
    const { isSharing } = this.#capture;
    const words = this.#words.current;
    // Phones have no screen to share.
    if (this.srcObject || !(navigator.mediaDevices as Partial<MediaDevices> | undefined)?.getDisplayMedia)
      return undefined;
    const onclick = (): void => void (isSharing ? this.stopScreen() : this.shareScreen());
    return h(
      'button',
      { part: 'button', class: 'text screen', onclick },
      screenIcon,
      isSharing ? words.stopSharingScreen : words.shareScreen,
    );
  }

  get #panel(): View {
    const { phase } = this;
    const words = this.#words.current;
    const isGiven = this.srcObject !== null;
    const { verdict, current } = this.#health;
    const isOn = this.#isOn;
    const isReady = Boolean(this.streamName && (this.token || this.tokenProvider));
    return h(
      'div',
      { part: 'panel', class: 'panel' },
      h('div', { class: 'notices' }, ...notices(words, phase, this.#capture, this.#level.isSilent, isReady)),
      deviceRow(words, this.#capture, 'audio', isGiven),
      deviceRow(words, this.#capture, 'video', isGiven),
      this.#screenButton,
      h(
        'button',
        {
          part: 'button go',
          class: isOn ? 'go stop' : 'go',
          disabled: !isOn && !this.#options,
          onclick: () => (isOn ? this.stop() : this.goLive()),
        },
        phase.name === 'starting' && spinner,
        phase.name === 'starting' ? words.cancel : isOn ? words.stop : words.goLive,
      ),
      h(
        'div',
        { class: 'more' },
        settingsPanel(this.#words, this, isOn, (changed) => Object.assign(this, changed)),
        phase.name === 'live' && healthPanel(this.#words, verdict, current),
        sharePanel(words, this.viewerUrl, this.#copied, this.#copy),
      ),
      h(
        'span',
        { class: 'told', role: 'status' },
        verdict !== 'good' && healthSentence(words, verdict, current?.height),
      ),
    );
  }

  get #isOn(): boolean {
    const { name } = this.phase;
    return name === 'starting' || name === 'live' || name === 'reconnecting';
  }

  readonly #allow = async (): Promise<void> => {
    await this.openCamera();
    await this.updateComplete;
    // The button that was pressed is gone.
    this.#root.querySelector<HTMLElement>('.go')?.focus();
  };

  readonly #copy = async (value: string): Promise<void> => {
    // Frames without leave to write to the clipboard: the field is there to be copied from by hand.
    const isDone = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
    if (isDone) this.#copied = value;
    this.requestUpdate();
  };

  #showLevel(level: number): void {
    const meter = this.#root.querySelector<HTMLElement>('.level');
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
      this.#wantsLive = false;
      this.#run.forget();
    }
  }
}
