import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Safari on iPhones has fullscreen only for videos, with a prefixed method. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?(): void;
}

/** Fullscreen, picture in picture and casting. Firefox cannot cast, and has picture in picture since version 153. */
export class PresentationController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #video: PhoneVideo;
  /** Whether another screen is available. */
  canCast = false;

  constructor(host: ReactiveControllerHost & HTMLElement, video: HTMLVideoElement) {
    this.#host = host;
    this.#video = video;
    const changed = (): void => host.requestUpdate();
    host.addEventListener('fullscreenchange', changed);
    for (const type of ['enterpictureinpicture', 'leavepictureinpicture']) video.addEventListener(type, changed);
    host.addController(this);
  }

  hostConnected(): void {
    this.#remote
      ?.watchAvailability((isAvailable) => {
        this.canCast = isAvailable;
        this.#host.requestUpdate();
      })
      // Rejects if the browser cannot cast live media or cannot watch for screens.
      .catch(() => {});
  }

  /** Stops watching for screens: a video that watches is never garbage-collected. */
  hostDisconnected(): void {
    this.#remote?.cancelWatchAvailability().catch(() => {});
  }

  get #remote(): RemotePlayback | undefined {
    return this.#video.remote;
  }

  get canFullscreen(): boolean {
    return document.fullscreenEnabled || 'webkitEnterFullscreen' in this.#video;
  }

  get isFullscreen(): boolean {
    return this.#host.matches(':fullscreen');
  }

  get canPictureInPicture(): boolean {
    return document.pictureInPictureEnabled && !this.#video.disablePictureInPicture;
  }

  get isPictureInPicture(): boolean {
    return (this.#video.getRootNode() as ShadowRoot).pictureInPictureElement === this.#video;
  }

  toggleFullscreen(): void {
    if (this.isFullscreen) void document.exitFullscreen();
    else if (document.fullscreenEnabled) this.#host.requestFullscreen().catch(() => {});
    else this.#video.webkitEnterFullscreen?.();
  }

  togglePictureInPicture(): void {
    if (this.isPictureInPicture) void document.exitPictureInPicture();
    else if (this.canPictureInPicture) this.#video.requestPictureInPicture().catch(() => {});
  }

  cast(): void {
    this.#remote?.prompt().catch(() => {});
  }
}
