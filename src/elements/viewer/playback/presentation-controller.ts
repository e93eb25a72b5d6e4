import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Safari on iPhones has fullscreen for videos only, under a name of its own. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?(): void;
}

/** Where else the picture can be than in its place on the page. Firefox has no other screen, and the window only since 153. */
export class PresentationController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #video: PhoneVideo;
  /** Whether there is another screen that would take it. */
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
      ?.watchAvailability((isThere) => {
        this.canCast = isThere;
        this.#host.requestUpdate();
      })
      // There is none for live media, or it cannot be watched for.
      .catch(() => {});
  }

  /** A video that watches is kept for good. */
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
