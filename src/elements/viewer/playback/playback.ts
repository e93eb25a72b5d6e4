import type { ReactiveControllerHost } from 'lit';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';
import { setSourceObject } from '../../source-object.js';

/**
 * What the video shows: the media of the phase, if the picture is wanted, as far as the browser goes along: with sound
 * if the page may, else without, and where even that needs a click, not at all.
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
  /** Whether a picture came since the stream began. */
  hasPicture = false;

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
    return this.#isMutedByBrowser && !this.isPaused && media?.getAudioTracks()[0] !== undefined;
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

  /** Gives the video what it is to show in this phase. */
  show(phase: ViewerPhase, before: ViewerPhase): void {
    const video = this.#video;
    // Before it is live already: a video that is given its media late shows its first frame late. Other media pauses a
    // video without a word: that of a session which took over from the last one, too.
    if ('media' in phase && (before.name !== 'live' || video.srcObject !== phase.media)) {
      setSourceObject(video, phase.media);
      this.#isHeld = false;
      if (!this.isPaused) this.#start().catch(() => {});
    }
    if (phase.name === 'live' && before.name !== 'live') {
      this.hasPicture = phase.media.getVideoTracks().length === 0;
      // No event of a video says that pictures come again after a pause of the sender.
      video.requestVideoFrameCallback(() => {
        this.hasPicture = true;
        this.#host.requestUpdate();
      });
    }
    if (phase.name === 'reconnecting') {
      // It keeps the picture that is there: what a browser has no more of, it paints black.
      this.#isHeld = true;
      video.pause();
    }
    if (phase.name === 'idle' || phase.name === 'rejected' || phase.name === 'failed') {
      this.hasPicture = false;
      setSourceObject(video);
    }
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
