import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  captureAllowed,
  captureError,
  CaptureError,
  listDevices,
  openCapture,
  openScreen,
  openTrack,
  videoConstraints,
  type CaptureDevices,
  type CaptureConstraints,
} from '../../../client/broadcaster/capture.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import { savePreferredDevice, preferredDevices } from './device-preferences.js';
import { CaptureTrack, type Loss } from './capture-track.js';
import { OutgoingStream, trackOf, type OutgoingStreamConfig } from './outgoing-stream.js';
import { PendingCaptures, type CaptureKind } from './pending-captures.js';
import { changedConstraints } from './changed-constraints.js';

export interface CaptureControllerConfig extends Pick<OutgoingStreamConfig, 'onReplace' | 'onKinds'> {
  /** Media from elsewhere, in the place of every device. */
  readonly given: () => MediaStream | undefined;
  readonly wishes: () => CaptureConstraints;
  readonly onError: (error: CaptureError) => void;
}

/**
 * Ties camera, microphone and screen to the life of the host: they open when its person wants them, and a host that
 * leaves the page switches them off. What was given from elsewhere is its owner's to stop.
 */
export class CaptureController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #config: CaptureControllerConfig;
  /** Aborts when the host has left for good. There is one while it is on a page. */
  #stay: AbortController | undefined;
  readonly #out: OutgoingStream;
  readonly #opened = new Map<CaptureKind, CaptureTrack>();
  readonly #pending = new PendingCaptures({
    keep: (kind, media) => this.#keep(kind, media),
    fail: (kinds, error) => this.#fail(kinds, error),
  });
  #screen: MediaStream | undefined;
  #given: MediaStream | undefined;
  #wishes: CaptureConstraints | undefined;

  error: CaptureError | undefined;
  /** The screen was shared, and it was the browser or its person who ended that. */
  screenEnded = false;
  devices: CaptureDevices = { cameras: [], microphones: [] };

  constructor(host: ReactiveControllerHost & HTMLElement, config: CaptureControllerConfig) {
    this.#host = host;
    this.#config = config;
    this.#out = new OutgoingStream({
      ...config,
      device: (kind) => this.#opened.get(kind)?.track,
      shared: () => this.#given ?? this.#screen,
    });
    host.addController(this);
  }

  hostConnected(): void {
    // Moved: it was here all the time.
    if (this.#stay) return;
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    devices?.addEventListener('devicechange', () => void this.#look().then(() => this.#mend()), { signal });
    void this.#openIfAllowed();
  }

  hostUpdate(): void {
    if (!this.#stay) return;
    const given = this.#config.given();
    if (given !== this.#given) this.#take(given);
    const wishes = this.#config.wishes();
    const changed = changedConstraints(this.#wishes ?? wishes, wishes);
    this.#wishes = wishes;
    for (const kind of changed) {
      const pending = this.#pending.wishes.get(kind);
      const device = this.#opened.get(kind);
      // Browsers take other sound only when they open a microphone. What a camera cannot do it does as nearly as it can.
      if (pending) void this.choose(kind, pending.deviceId);
      else if (kind === 'video') device?.track.applyConstraints(videoConstraints(wishes)).catch(() => {});
      else if (this.device(kind) && device) void this.choose(kind, device.id);
    }
  }

  hostDisconnected(): void {
    queueMicrotask(() => {
      // Who is moved is gone and back at once.
      if (this.#host.isConnected) return;
      this.#stay?.abort();
      this.#stay = undefined;
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

  get isOpening(): boolean {
    return this.#pending.wishes.size > 0;
  }

  /**
   * The camera or the microphone, as long as it works, whether or not something else goes out now. While another is
   * opened in its place it is still the old one, whose `enabled` the new one takes over.
   */
  device(kind: TrackKind): MediaStreamTrack | undefined {
    const track = this.#given ? this.track(kind) : this.#opened.get(kind)?.track;
    return track?.readyState === 'live' || this.#pending.wishes.get(kind) ? track : undefined;
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
    if (this.media || this.isOpening) return;
    await this.#request(['video', 'audio'], async () => {
      const wishes = this.#config.wishes();
      const { video: cameraId, audio: microphoneId } = preferredDevices();
      return openCapture({ ...wishes, cameraId, microphoneId }).catch((error: unknown) => {
        // Those of last time are not plugged in today.
        const isGone = error instanceof CaptureError && error.code === 'capture_no_device';
        if (isGone && (cameraId || microphoneId)) return openCapture(wishes);
        throw error;
      });
    });
  }

  /**
   * Opens a device, in the place of the present one of its kind if there is one. That one is let go first: phones
   * cannot have two cameras open.
   *
   * @param deviceId empty: the browser's choice
   */
  choose(kind: TrackKind, deviceId: string): Promise<void> {
    const open = async (): Promise<MediaStream> => {
      this.#opened.get(kind)?.track.stop();
      const track = await openTrack(kind, deviceId, this.#config.wishes());
      if (deviceId) savePreferredDevice(kind, deviceId);
      return new MediaStream([track]);
    };
    return this.#request([kind], open, deviceId);
  }

  /** Shows a screen, a window or a tab in the place of the camera, and lets its sound be heard beside the microphone. */
  async shareScreen(): Promise<void> {
    // While the browser shows its list, another list helps nobody.
    if (!this.#pending.wishes.get('screen')) await this.#request(['screen'], () => openScreen(this.#config.wishes()));
  }

  /** The camera comes back, as it was. */
  stopScreen(): Promise<void> {
    return this.#leaveScreen(false);
  }

  /** Mutes or unmutes, without letting go of the device. What is not open is opened. */
  toggle(kind: TrackKind): void {
    const track = this.device(kind);
    if (track) track.enabled = !track.enabled;
    else void this.choose(kind, '');
    this.#host.requestUpdate();
  }

  /** With media of the page, and on no page at all, nothing is opened. */
  async #request(...[kinds, open, deviceId]: Parameters<PendingCaptures['request']>): Promise<void> {
    if (!this.#stay || this.#config.given()) return;
    this.error = undefined;
    this.screenEnded = false;
    this.#host.requestUpdate();
    await this.#pending.request(kinds, open, deviceId);
    await this.#settle();
    await this.#look();
  }

  #keep(kind: CaptureKind, media: MediaStream): void {
    if (kind === 'screen') {
      stopAll(this.#screen);
      this.#screen = media;
      const left = (): void => {
        if (this.#screen === media) void this.#leaveScreen(true);
      };
      if (this.isSharing) media.getVideoTracks()[0]!.addEventListener('ended', left);
      else left();
      return;
    }
    const track = trackOf(media, kind);
    if (!track) return;
    const old = this.#opened.get(kind)?.track;
    old?.stop();
    track.enabled = old?.enabled ?? true;
    this.#opened.set(kind, new CaptureTrack(track, () => this.#host.requestUpdate()));
  }

  #fail(kinds: readonly CaptureKind[], error: unknown): void {
    for (const kind of kinds) {
      const old = this.#opened.get(kind);
      // It was let go for what did not open.
      if (old) old.loss = 'lost';
    }
    this.error = captureError(error);
    this.#config.onError(this.error);
  }

  async #leaveScreen(byItself: boolean): Promise<void> {
    stopAll(this.#screen);
    this.screenEnded = byItself;
    await this.#settle();
  }

  /** Brings what goes out up to date. Where nothing is left to see or hear, and nothing is about to be, it is over. */
  async #settle(): Promise<void> {
    const isOver = !this.#given && this.#opened.size === 0 && !this.isSharing && !this.isOpening;
    if (!isOver) await this.#out.apply();
    else if (this.media) this.#end();
    this.#host.requestUpdate();
  }

  #take(given: MediaStream | undefined): void {
    this.#release();
    this.#given = given;
    this.error = undefined;
    if (given) void this.#settle();
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

  /** Lets go of every device, and of those to come. */
  #release(): void {
    this.#pending.wishes.clear();
    for (const { track } of this.#opened.values()) track.stop();
    stopAll(this.#screen);
    this.#opened.clear();
    this.#screen = undefined;
  }

  /** What was unplugged is there again. */
  async #mend(): Promise<void> {
    const all = [...this.devices.cameras, ...this.devices.microphones];
    for (const kind of ['video', 'audio'] as const) {
      const lost = this.#opened.get(kind);
      if (
        lost?.loss === 'lost' &&
        lost.id &&
        !this.#pending.wishes.get(kind) &&
        all.some(({ deviceId }) => deviceId === lost.id)
      )
        await this.choose(kind, lost.id);
    }
  }

  async #openIfAllowed(): Promise<void> {
    const isAllowed = await captureAllowed();
    // What was tried and failed meanwhile is for the person to try again.
    if (isAllowed && !this.error) await this.open();
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
