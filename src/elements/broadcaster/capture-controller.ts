import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  captureAllowed,
  CaptureError,
  listDevices,
  openCapture,
  openTrack,
  type CaptureDevices,
} from '../../client/capture.js';

export type TrackKind = 'video' | 'audio';

export interface CaptureControllerConfig {
  /** A track took the place of another of its kind in `media`, or is about to. */
  readonly onReplace: (track: MediaStreamTrack) => Promise<void>;
}

/** Ties camera and microphone to the life of the host: a host that leaves the page switches them off. */
export class CaptureController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #config: CaptureControllerConfig;
  /** Aborts when the host leaves. What opens after that is closed at once. */
  #stay = new AbortController();

  /** What the camera and the microphone give; undefined until they were opened. */
  media: MediaStream | undefined;
  error: CaptureError | undefined;
  isOpening = false;
  devices: CaptureDevices = { cameras: [], microphones: [] };

  constructor(host: ReactiveControllerHost, config: CaptureControllerConfig) {
    this.#host = host;
    this.#config = config;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    devices?.addEventListener('devicechange', () => void this.#look(), { signal });
    void this.#openIfAllowed(signal);
  }

  hostDisconnected(): void {
    this.#stay.abort();
    for (const track of this.media?.getTracks() ?? []) track.stop();
    this.media = undefined;
  }

  async #openIfAllowed(signal: AbortSignal): Promise<void> {
    const isAllowed = await captureAllowed();
    // What was tried and failed meanwhile is for the person to try again.
    if (isAllowed && !this.error && !signal.aborted) await this.open();
  }

  /** Asks for camera and microphone, if they are not open. */
  async open(): Promise<void> {
    if (this.isOpening || this.media) return;
    await this.#attempt(async (signal) => {
      const media = await openCapture();
      if (signal.aborted) return media.getTracks().forEach((track) => track.stop());
      for (const track of media.getTracks()) this.#watch(track);
      this.media = media;
    });
    await this.#look();
  }

  /**
   * Another device in the place of the present one of its kind. The old one is let go first: phones cannot have two
   * cameras open.
   */
  async choose(kind: TrackKind, deviceId: string): Promise<void> {
    await this.#attempt(async (signal) => {
      const old = this.track(kind);
      old?.stop();
      const track = await openTrack(kind, deviceId);
      if (signal.aborted) return track.stop();
      track.enabled = old?.enabled ?? true;
      this.#watch(track);
      await this.#config.onReplace(track);
      if (old) this.media?.removeTrack(old);
      this.media?.addTrack(track);
    });
  }

  track(kind: TrackKind): MediaStreamTrack | undefined {
    return this.media?.getTracks().find((track) => track.kind === kind);
  }

  /** Mutes or unmutes, without letting go of the device. */
  toggle(kind: TrackKind): void {
    const track = this.track(kind);
    if (track) track.enabled = !track.enabled;
    this.#host.requestUpdate();
  }

  async #attempt(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stay;
    this.isOpening = true;
    this.error = undefined;
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
    if (!this.media) return;
    this.devices = await listDevices();
    this.#host.requestUpdate();
  }

  #watch(track: MediaStreamTrack): void {
    track.addEventListener('ended', () => {
      this.error = new CaptureError('capture_no_device', 'That camera or microphone went away');
      this.#host.requestUpdate();
    });
  }
}
