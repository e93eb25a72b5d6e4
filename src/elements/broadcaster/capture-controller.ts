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
import type { TrackKind } from '../../client/sources.js';
import { rememberDevice, rememberedDevices } from './device-memory.js';
import { OpenedDevice, type Loss } from './opened-device.js';
import { OutgoingMedia, type OutgoingMediaConfig } from './outgoing-media.js';
import { wishesChanged } from './wishes-changed.js';

export interface CaptureControllerConfig extends Pick<OutgoingMediaConfig, 'onReplace' | 'onKinds'> {
  /** Media from elsewhere, in the place of every device. */
  readonly given: () => MediaStream | undefined;
  readonly wishes: () => CaptureWishes;
}

/**
 * Ties camera, microphone and screen to the life of the host: they open when its person wants them, and a host that
 * leaves the page switches them off. What was given from elsewhere is its owner's to stop.
 */
export class CaptureController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #config: CaptureControllerConfig;
  /** Aborts when the host leaves. What opens after that is closed at once. */
  #stay = new AbortController();
  /** Until it is known that the host left for good. */
  #isHere = false;
  readonly #out: OutgoingMedia;
  readonly #opened = new Map<TrackKind, OpenedDevice>();
  #screen: MediaStream | undefined;
  #given: MediaStream | undefined;
  #wishes: CaptureWishes | undefined;

  error: CaptureError | undefined;
  isOpening = false;
  /** The screen was shared, and it was the browser or its person who ended that. */
  screenEnded = false;
  devices: CaptureDevices = { cameras: [], microphones: [] };

  constructor(host: ReactiveControllerHost & HTMLElement, config: CaptureControllerConfig) {
    this.#host = host;
    this.#config = config;
    this.#out = new OutgoingMedia({
      ...config,
      device: (kind) => this.#opened.get(kind)?.track,
      shared: () => this.#given ?? this.#screen,
    });
    host.addController(this);
  }

  hostConnected(): void {
    // Moved: it was here all the time.
    if (this.#isHere) return;
    this.#isHere = true;
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
    queueMicrotask(() => {
      // Who is moved is gone and back at once.
      if (this.#host.isConnected) return;
      this.#isHere = false;
      this.#stay.abort();
      this.#close();
      this.#given = undefined;
    });
  }

  /** What goes out, or would: the same object for as long as there is anything. */
  get media(): MediaStream | undefined {
    return this.#out.media;
  }

  /** What goes out of this kind. */
  track(kind: TrackKind): MediaStreamTrack | undefined {
    return this.#out.track(kind);
  }

  /** The camera or the microphone, as long as it works; whether or not something else goes out now. */
  device(kind: TrackKind): MediaStreamTrack | undefined {
    const track = this.#given ? this.track(kind) : this.#opened.get(kind)?.track;
    return track?.readyState === 'live' ? track : undefined;
  }

  loss(kind: TrackKind): Loss | undefined {
    return this.#opened.get(kind)?.loss;
  }

  /** It shows a person to themselves, who expect a mirror: not a screen, nor what stands before a phone. */
  get isMirror(): boolean {
    const camera = this.#opened.get('video')?.track;
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
      await this.#out.settle();
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
      old?.track.stop();
      const track = await openTrack(kind, deviceId, this.#config.wishes()).catch((error: unknown) => {
        // It went dark all the same.
        if (old) old.loss = 'lost';
        throw error;
      });
      if (signal.aborted || this.#given) return track.stop();
      track.enabled = old?.track.enabled ?? true;
      this.#keep(track);
      if (deviceId) rememberDevice(kind, deviceId);
      await this.#out.settle();
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
      await this.#out.settle();
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
    else await this.#out.settle();
    this.#host.requestUpdate();
  }

  #take(given: MediaStream | undefined): void {
    this.#release();
    this.#given = given;
    this.error = undefined;
    if (given) void this.#out.settle().then(() => this.#host.requestUpdate());
    else this.#end();
  }

  #end(): void {
    this.#close();
    this.#config.onKinds();
  }

  #close(): void {
    this.#release();
    this.#out.close();
  }

  /** Lets go of every device. */
  #release(): void {
    for (const { track } of this.#opened.values()) track.stop();
    stopAll(this.#screen);
    this.#opened.clear();
    this.#screen = undefined;
  }

  #keep(track: MediaStreamTrack): void {
    this.#opened.set(track.kind as TrackKind, new OpenedDevice(track, () => this.#host.requestUpdate()));
  }

  /** What was unplugged is there again. */
  async #mend(): Promise<void> {
    const all = [...this.devices.cameras, ...this.devices.microphones];
    for (const [kind, { id, loss }] of this.#opened)
      if (loss === 'lost' && id && all.some(({ deviceId }) => deviceId === id)) await this.choose(kind, id);
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
