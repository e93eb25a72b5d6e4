import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Safari on iPhones has fullscreen only for videos, with a prefixed method. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?(): void;
}

/** Fullscreen, picture in picture and casting. Firefox cannot cast, and has picture in picture since version 153. */
export class PresentationController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #video: HTMLVideoElement;
  readonly #recording: () => HTMLVideoElement | undefined;
  /** Whether another screen is available. */
  canCast = false;

  readonly #changed = (): void => this.#host.requestUpdate();

  /**
   * @param video what is live
   * @param recording while the visitor sees it in its place
   */
  constructor(
    host: ReactiveControllerHost & HTMLElement,
    video: HTMLVideoElement,
    recording: () => HTMLVideoElement | undefined,
  ) {
    this.#host = host;
    this.#video = video;
    this.#recording = recording;
    host.addEventListener('fullscreenchange', this.#changed);
    host.addController(this);
  }

  hostConnected(): void {
    for (const type of ['enterpictureinpicture', 'leavepictureinpicture'])
      this.#root.addEventListener(type, this.#changed);
    this.#video.remote
      ?.watchAvailability((isAvailable) => {
        this.canCast = isAvailable;
        this.#host.requestUpdate();
      })
      // Rejects if the browser cannot cast live media or cannot watch for screens.
      .catch(() => {});
  }

  /** Stops watching for screens: a video that watches is never garbage-collected. */
  hostDisconnected(): void {
    this.#video.remote?.cancelWatchAvailability().catch(() => {});
  }

  /** The window of its own has what the visitor sees: the recording, or what is live. */
  hostUpdated(): void {
    const { pictureInPictureElement } = this.#root;
    if (pictureInPictureElement && !this.isPictureInPicture) this.#openWindow();
  }

  get #shown(): PhoneVideo {
    return this.#recording() ?? this.#video;
  }

  get #root(): ShadowRoot {
    return this.#host.shadowRoot!;
  }

  /** The host may have been moved into another document. */
  get #document(): Document {
    return this.#host.ownerDocument;
  }

  get canFullscreen(): boolean {
    return this.#document.fullscreenEnabled || 'webkitEnterFullscreen' in this.#shown;
  }

  get isFullscreen(): boolean {
    return this.#host.matches(':fullscreen');
  }

  get canPictureInPicture(): boolean {
    return this.#document.pictureInPictureEnabled && !this.#video.disablePictureInPicture;
  }

  get isPictureInPicture(): boolean {
    return this.#root.pictureInPictureElement === this.#shown;
  }

  toggleFullscreen(): void {
    if (this.isFullscreen) void this.#document.exitFullscreen();
    else if (this.#document.fullscreenEnabled) this.#host.requestFullscreen().catch(() => {});
    else this.#shown.webkitEnterFullscreen?.();
  }

  togglePictureInPicture(): void {
    if (this.isPictureInPicture) void this.#document.exitPictureInPicture();
    else if (this.canPictureInPicture) this.#openWindow();
  }

  #openWindow(): void {
    this.#shown.requestPictureInPicture().catch(() => {});
  }

  cast(): void {
    this.#shown.remote?.prompt().catch(() => {});
  }
}
