import type { ReactiveControllerHost } from 'lit';
import type { ViewerPhase } from '../../../client/viewer/viewer-phase.js';

/**
 * Plays the media of the phase in the video as the browser permits: with sound, muted, or only after a click.
 */
export class Playback {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #video: HTMLVideoElement;
  /** The pending promise of `play()`. */
  #pending: PromiseWithResolvers<void> | undefined;
  #mayAutoplay = true;
  #isMutedByBrowser = false;
  /** Whether the video shows the last picture while the connection is restored. */
  #isFrozen = false;
  /** Whether playback was ever started, by `autoplay` or `play()`. Nothing is requested before. */
  hasBegun = false;
  isPaused = true;
  /** Whether the browser plays nothing before a click. */
  isBlocked = false;
  /** Whether a picture arrived since the stream went live. */
  hasPicture = false;
  /** Whether the broadcast stopped and is not live again. */
  hasEnded = false;
  /** Why nothing can be played: `MEDIA_ERR_SRC_NOT_SUPPORTED` (4) or `MEDIA_ERR_NETWORK` (2). */
  error: Pick<MediaError, 'code' | 'message'> | null = null;

  constructor(host: ReactiveControllerHost & HTMLElement, video: HTMLVideoElement) {
    this.#host = host;
    this.#video = video;
    // Other causes are the picture-in-picture window, media keys, and browsers that save power.
    video.addEventListener('play', () => this.#setPaused(false));
    video.addEventListener('pause', () => {
      const media = video.srcObject as MediaStream | null;
      if (video.paused && host.isConnected && !this.#isFrozen && !video.ended && media?.active) this.pause();
    });
    video.addEventListener('volumechange', () => {
      if (!video.muted) this.#isMutedByBrowser = false;
      host.requestUpdate();
    });
  }

  /** Whether the browser muted the video, so that the visitor has to unmute it. */
  get isSoundBlocked(): boolean {
    const media = this.#video.srcObject as MediaStream | null;
    return this.#isMutedByBrowser && !this.isPaused && media?.getAudioTracks()[0] !== undefined;
  }

  /** Starts as `autoplay` does: once, and not after the page has called `play()` or `pause()`. */
  autoplay(): void {
    if (this.#mayAutoplay) this.#begin();
  }

  /** As of a video: settles when the picture plays, or when it cannot. */
  play(): Promise<void> {
    this.#begin();
    this.#pending ??= Promise.withResolvers();
    const { promise } = this.#pending;
    if (this.error) this.#reject('NotSupportedError', this.error.message);
    else if (this.#video.srcObject && !this.#isFrozen) void this.#start();
    return promise;
  }

  pause(): void {
    this.#mayAutoplay = false;
    this.#setPaused(true);
    this.#video.pause();
    this.#reject('AbortError', 'Interrupted');
  }

  /** Applies a change of the phase to the video. */
  show(phase: ViewerPhase, previous: ViewerPhase): void {
    const video = this.#video;
    this.error = null;
    if (phase.name !== 'waiting' && phase.name !== 'reconnecting') this.hasEnded = phase.name === 'ended';
    // The phases before `live` have media already: a video that gets it early shows its first frame early.
    // Other media pauses a video without an event, as when a new session takes over.
    if ('media' in phase && (previous.name !== 'live' || video.srcObject !== phase.media)) {
      // Chromium plays no sound of media that had a video track without a picture, so it loads that again.
      if (video.srcObject !== phase.media || phase.media.getVideoTracks().length === 0) video.srcObject = phase.media;
      this.#isFrozen = false;
      if (!this.isPaused && phase.name !== 'waiting') void this.#start();
    }
    if (phase.name === 'live' && previous.name !== 'live') {
      this.hasPicture = phase.media.getVideoTracks().length === 0;
      // A video has no event for the first picture after a pause of the sender.
      video.requestVideoFrameCallback(() => {
        this.hasPicture = true;
        this.#host.requestUpdate();
      });
    }
    if (phase.name === 'reconnecting') {
      // A paused video keeps its last picture. One that plays and receives nothing turns black.
      this.#isFrozen = true;
      video.pause();
    }
    if (phase.name === 'rejected') this.error = { code: 4, message: phase.message };
    if (phase.name === 'failed') this.error = { code: 2, message: phase.error.message };
    if (phase.name === 'idle' || this.error) {
      this.hasPicture = false;
      if (video.srcObject) video.srcObject = null;
      if (this.error) this.#reject('NotSupportedError', this.error.message);
      else this.#reject('AbortError', 'Interrupted');
    }
  }

  #begin(): void {
    this.#mayAutoplay = false;
    this.hasBegun = true;
    this.#setPaused(false);
  }

  async #start(): Promise<void> {
    const video = this.#video;
    const { muted } = video;
    try {
      await video.play();
      this.isBlocked = false;
      this.#pending?.resolve();
      this.#pending = undefined;
    } catch (error) {
      // After any other error, other media has been set meanwhile and is played next.
      if (!(error instanceof DOMException && error.name === 'NotAllowedError')) return;
      if (!muted) {
        this.#isMutedByBrowser = true;
        video.muted = true;
        return this.#start();
      }
      this.isBlocked = true;
      this.#setPaused(true);
      this.#reject(error.name, error.message);
    }
  }

  #reject(name: string, message: string): void {
    this.#pending?.reject(new DOMException(message, name));
    this.#pending = undefined;
  }

  #setPaused(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new Event(isPaused ? 'pause' : 'play'));
  }
}
