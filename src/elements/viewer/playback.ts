import type { ReactiveControllerHost } from 'lit';

/**
 * Whether the picture is wanted, and how far the browser goes along: with sound if the page may, else without, and
 * where even that needs a click, not at all.
 */
export class Playback {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #video: HTMLVideoElement;
  #isMutedByBrowser = false;
  #isHeld = false;
  /** Whether it was wanted at all by now. */
  hasBegun = false;
  isPaused = true;
  /** Whether the browser wants a click before anything plays. */
  isRefused = false;

  constructor(host: ReactiveControllerHost & HTMLElement, video: HTMLVideoElement) {
    this.#host = host;
    this.#video = video;
    // By somebody else: the window of picture in picture, the keys of a headset, a browser that saves power.
    video.addEventListener('play', () => this.#become(false));
    video.addEventListener('pause', () => {
      const media = video.srcObject as MediaStream | null;
      if (video.paused && host.isConnected && !this.#isHeld && !video.ended && media?.active) this.#become(true);
    });
    video.addEventListener('volumechange', () => {
      if (!video.muted) this.#isMutedByBrowser = false;
      host.requestUpdate();
    });
  }

  /** Whether somebody has to ask for the sound, because the browser let nothing be heard. */
  get isSoundRefused(): boolean {
    const media = this.#video.srcObject as MediaStream | null;
    return this.#isMutedByBrowser && !this.isPaused && (media?.getAudioTracks().length ?? 0) > 0;
  }

  /** What it is to begin with, unless somebody said otherwise already. */
  beginOnce(): void {
    if (!this.hasBegun) this.#begin();
  }

  /** @throws {DOMException} `NotAllowedError`: not before a click */
  async play(): Promise<void> {
    this.#begin();
    if (this.#video.srcObject) await this.#start();
  }

  pause(): void {
    this.#become(true);
    this.#video.pause();
  }

  /** Keeps the picture that is there: what a browser has no more of, it paints black. */
  hold(): void {
    this.#isHeld = true;
    this.#video.pause();
  }

  /** There is other media, or media again. */
  resume(): void {
    this.#isHeld = false;
    if (!this.isPaused) this.#start().catch(() => {});
  }

  #begin(): void {
    this.hasBegun = true;
    this.#become(false);
  }

  async #start(): Promise<void> {
    const video = this.#video;
    const { muted } = video;
    try {
      await video.play();
      this.isRefused = false;
    } catch (error) {
      // Anything else: other media has come in between.
      if (!(error instanceof DOMException && error.name === 'NotAllowedError')) return;
      if (!muted) {
        this.#isMutedByBrowser = true;
        video.muted = true;
        return this.#start();
      }
      this.isRefused = true;
      this.#become(true);
      throw error;
    }
  }

  #become(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new Event(isPaused ? 'pause' : 'play'));
  }
}
