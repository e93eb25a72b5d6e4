import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  captureAllowed,
  CaptureError,
  listDevices,
  openCapture,
  openScreen,
  openTrack,
  pictureOf,
  type CaptureDevices,
  type CaptureWishes,
} from '../../client/capture.js';
import type { CaptureErrorCode } from '../../client/errors.js';
import type { TrackKind } from '../../client/sources.js';
import { rememberDevice, rememberedDevices } from './device-memory.js';
import { MixedSound } from './mixed-sound.js';
import { wishesChanged } from './wishes-changed.js';

export interface CaptureControllerConfig {
  /** Media from elsewhere, in the place of every device. */
  readonly given: () => MediaStream | undefined;
  readonly wishes: () => CaptureWishes;
  /** This track is about to take the place of another of its kind in `media`. */
  readonly onReplace: (track: MediaStreamTrack) => Promise<void>;
  /** `media` has picture or sound that it had not, or lacks it: what sends it must begin anew. */
  readonly onKinds: () => void;
}

/** Why a device that was open is so no more. */
export type Loss = 'lost' | Extract<CaptureErrorCode, 'capture_denied'>;

/**
 * Ties camera, microphone and screen to the life of the host, and makes of them what goes out: a host that leaves
 * the page switches them off. What was given from elsewhere is its owner's to stop.
 */
export class CaptureController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #config: CaptureControllerConfig;
  /** Aborts when the host leaves. What opens after that is closed at once. */
  #stay = new AbortController();
  /** There from when the host left until that is known to last. */
  #leaving: symbol | undefined;
  readonly #opened = new Map<TrackKind, MediaStreamTrack>();
  /** Of those: in Firefox a track that ended has forgotten it. */
  readonly #ids = new Map<TrackKind, string>();
  readonly #losses = new Map<TrackKind, Loss>();
  #screen: MediaStream | undefined;
  #mix: MixedSound | undefined;
  #given: MediaStream | undefined;
  #wishes: CaptureWishes | undefined;
  #settling: Promise<void> = Promise.resolve();

  /** What goes out, or would: the same object for as long as there is anything. */
  media: MediaStream | undefined;
  error: CaptureError | undefined;
  isOpening = false;
  /** The screen was shared, and it was the browser or its person who ended that. */
  screenEnded = false;
  devices: CaptureDevices = { cameras: [], microphones: [] };

  constructor(host: ReactiveControllerHost, config: CaptureControllerConfig) {
    this.#host = host;
    this.#config = config;
    host.addController(this);
  }

  hostConnected(): void {
    // Moved: it was here all the time.
    if (this.#leaving) return void (this.#leaving = undefined);
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    devices?.addEventListener('devicechange', () => void this.#look().then(() => this.#mend()), { signal });
    if (!this.#config.given()) void this.#openIfAllowed(signal);
  }

  hostUpdate(): void {
    if (this.#stay.signal.aborted) return;
    const given = this.#config.given();
    if (given !== this.#given) this.#take(given);
    const wishes = this.#config.wishes();
    const before = (this.#wishes ??= wishes);
    this.#wishes = wishes;
    const changed = wishesChanged(before, wishes);
    const camera = this.device('video');
    // What a camera cannot do it does as nearly as it can.
    if (changed.picture) camera?.applyConstraints(pictureOf(wishes)).catch(() => {});
    const microphone = this.device('audio');
    // Browsers take these only when they open a microphone.
    if (changed.sound && microphone) void this.choose('audio', microphone.getSettings().deviceId ?? '');
  }

  hostDisconnected(): void {
    const leaving = (this.#leaving = Symbol('leaving'));
    queueMicrotask(() => {
      // Who is moved is gone and back at once.
      if (this.#leaving !== leaving) return;
      this.#leaving = undefined;
      this.#stay.abort();
      this.#close();
      this.#given = undefined;
    });
  }

  /** What goes out of this kind. */
  track(kind: TrackKind): MediaStreamTrack | undefined {
    return this.media?.getTracks().find((track) => track.kind === kind);
  }

  /** The camera or the microphone, as long as it works; whether or not something else goes out now. */
  device(kind: TrackKind): MediaStreamTrack | undefined {
    const track = this.#given ? this.track(kind) : this.#opened.get(kind);
    return track?.readyState === 'live' ? track : undefined;
  }

  loss(kind: TrackKind): Loss | undefined {
    return this.#losses.get(kind);
  }

  /** It shows a person to themselves, who expect a mirror: not a screen, nor what stands before a phone. */
  get isMirror(): boolean {
    const camera = this.#given ? undefined : this.#opened.get('video');
    return camera !== undefined && camera === this.track('video') && camera.getSettings().facingMode !== 'environment';
  }

  get isSharing(): boolean {
    return this.#screen?.getVideoTracks()[0]?.readyState === 'live';
  }

  /** Asks for camera and microphone, if they are not open. */
  async open(): Promise<void> {
    if (this.isOpening || this.media) return;
    await this.#attempt(async (signal) => {
      const wishes = this.#config.wishes();
      const { video: cameraId, audio: microphoneId } = rememberedDevices();
      const media = await openCapture({ ...wishes, cameraId, microphoneId }).catch((error: unknown) => {
        // Those of last time are not plugged in today.
        const isGone = error instanceof CaptureError && error.code === 'capture_no_device';
        if (isGone && (cameraId || microphoneId)) return openCapture(wishes);
        throw error;
      });
      if (signal.aborted || this.#given) return stopAll(media);
      for (const track of media.getTracks()) this.#keep(track);
      await this.#settle();
    });
    await this.#look();
  }

  /**
   * Opens a device, in the place of the present one of its kind if there is one. That one is let go first: phones
   * cannot have two cameras open.
   *
   * @param deviceId empty: the browser's choice
   */
  async choose(kind: TrackKind, deviceId: string): Promise<void> {
    await this.#attempt(async (signal) => {
      const old = this.#opened.get(kind);
      old?.stop();
      const track = await openTrack(kind, deviceId, this.#config.wishes()).catch((error: unknown) => {
        // It went dark all the same.
        if (old) this.#losses.set(kind, 'lost');
        throw error;
      });
      if (signal.aborted || this.#given) return track.stop();
      track.enabled = old?.enabled ?? true;
      this.#keep(track);
      if (deviceId) rememberDevice(kind, deviceId);
      await this.#settle();
    });
    await this.#look();
  }

  /** Shows a screen, a window or a tab in the place of the camera, and lets its sound be heard beside the microphone. */
  async shareScreen(): Promise<void> {
    await this.#attempt(async (signal) => {
      const screen = await openScreen(this.#config.wishes());
      if (!screen) return;
      if (signal.aborted || this.#given) return stopAll(screen);
      stopAll(this.#screen);
      this.#screen = screen;
      screen.getVideoTracks()[0]?.addEventListener('ended', () => {
        if (this.#screen === screen) void this.#leaveScreen(true);
      });
      await this.#settle();
    });
  }

  /** The camera comes back, as it was. */
  stopScreen(): Promise<void> {
    return this.#leaveScreen(false);
  }

  /** Mutes or unmutes, without letting go of the device. What is not open is opened. */
  toggle(kind: TrackKind): void {
    const track = this.device(kind);
    if (track) track.enabled = !track.enabled;
    else if (!this.#given) void this.choose(kind, '');
    this.#host.requestUpdate();
  }

  async #leaveScreen(byItself: boolean): Promise<void> {
    stopAll(this.#screen);
    this.screenEnded = byItself;
    // Nothing is left to see or hear. Otherwise the last picture stands until there is another.
    if (this.#opened.size === 0) this.#end();
    else await this.#settle();
    this.#host.requestUpdate();
  }

  #take(given: MediaStream | undefined): void {
    this.#release();
    this.#given = given;
    this.error = undefined;
    if (given) void this.#settle().then(() => this.#host.requestUpdate());
    else this.#end();
  }

  #end(): void {
    this.#close();
    this.#config.onKinds();
  }

  #close(): void {
    this.#release();
    this.media = undefined;
  }

  /** Lets go of every device. */
  #release(): void {
    for (const track of this.#opened.values()) track.stop();
    stopAll(this.#screen);
    this.#mix?.close();
    this.#opened.clear();
    this.#losses.clear();
    this.#mix = this.#screen = undefined;
  }

  /** Brings `media` to what should go out now. One at a time: two who replace the same track would leave both in. */
  #settle(): Promise<void> {
    return (this.#settling = this.#settling.then(() => this.#put()));
  }

  async #put(): Promise<void> {
    if (this.#stay.signal.aborted) return;
    const wanted = { video: this.#picture(), audio: this.#sound() };
    if (!wanted.video && !wanted.audio) return;
    const media = (this.media ??= new MediaStream());
    let areOther = false;
    for (const kind of ['video', 'audio'] as const) {
      const now = this.track(kind);
      const next = wanted[kind];
      if (now === next) continue;
      if (now && next) await this.#config.onReplace(next).catch(() => (areOther = true));
      else areOther = true;
      if (now) media.removeTrack(now);
      if (next) media.addTrack(next);
    }
    if (areOther) this.#config.onKinds();
  }

  #picture(): MediaStreamTrack | undefined {
    if (this.#given) return this.#given.getVideoTracks()[0];
    const screen = this.#screen?.getVideoTracks()[0];
    return screen?.readyState === 'live' ? screen : (this.#opened.get('video') ?? screen);
  }

  #sound(): MediaStreamTrack | undefined {
    if (this.#given) return this.#given.getAudioTracks()[0];
    const microphone = this.#opened.get('audio');
    const screen = this.#screen?.getAudioTracks()[0];
    const parts = screen?.readyState === 'live' && microphone ? [microphone, screen] : [];
    if (this.#mix?.isOf(parts)) return this.#mix.track;
    this.#mix?.close();
    this.#mix = parts.length > 0 ? new MixedSound(parts) : undefined;
    return this.#mix?.track ?? microphone ?? screen;
  }

  #keep(track: MediaStreamTrack): void {
    const kind = track.kind as TrackKind;
    this.#opened.set(kind, track);
    this.#ids.set(kind, track.getSettings().deviceId ?? '');
    this.#losses.delete(kind);
    track.addEventListener('ended', async () => {
      const loss = (await isForbidden(kind)) ? 'capture_denied' : 'lost';
      if (this.#opened.get(kind) !== track) return;
      this.#losses.set(kind, loss);
      this.#host.requestUpdate();
    });
  }

  /** What was unplugged is there again. */
  async #mend(): Promise<void> {
    const all = [...this.devices.cameras, ...this.devices.microphones];
    for (const [kind, loss] of this.#losses) {
      const id = this.#ids.get(kind);
      if (loss === 'lost' && id && all.some(({ deviceId }) => deviceId === id)) await this.choose(kind, id);
    }
  }

  async #openIfAllowed(signal: AbortSignal): Promise<void> {
    const isAllowed = await captureAllowed();
    // What was tried and failed meanwhile is for the person to try again.
    if (isAllowed && !this.error && !this.#given && !signal.aborted) await this.open();
  }

  async #attempt(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stay;
    this.isOpening = true;
    this.error = undefined;
    this.screenEnded = false;
    this.#host.requestUpdate();
    try {
      await act(signal);
    } catch (error) {
      this.error = error instanceof CaptureError ? error : new CaptureError('capture_failed', String(error), error);
    }
    this.isOpening = false;
    this.#host.requestUpdate();
  }

  /** Labels come only with permission, so there is nothing to show before. */
  async #look(): Promise<void> {
    if (!this.media || this.#given) return;
    this.devices = await listDevices();
    this.#host.requestUpdate();
  }
}

function stopAll(media: MediaStream | undefined): void {
  for (const track of media?.getTracks() ?? []) track.stop();
}

/** Browsers that do not tell are taken to have lost the device: Safari says `prompt` of a camera that is open. */
async function isForbidden(kind: TrackKind): Promise<boolean> {
  try {
    const name = kind === 'video' ? 'camera' : 'microphone';
    return (await navigator.permissions.query({ name: name as PermissionName })).state === 'denied';
  } catch {
    return false;
  }
}
