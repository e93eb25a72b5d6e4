import { openPlaylist, type PlaylistFault, type PlaylistMedia } from './playlist-media.js';

export interface RecordingListener {
  /** The first picture of what was loaded last is visible, in place of the one before. */
  onPicture(): void;
  onTime(): void;
  /** Something else than `follow` made it play or pause, such as the window of picture in picture or a headset. */
  onPaused(isPaused: boolean): void;
  /** Everything that was loaded has been played. */
  onEnded(): void;
  /** Nothing more can be loaded. What is visible stays. */
  onFault(fault: PlaylistFault): void;
}

/** As the controls of the tag say. */
export interface Playing {
  readonly paused: boolean;
  readonly muted: boolean;
  readonly volume: number;
  readonly speed: number;
}

interface Screen {
  readonly video: HTMLVideoElement;
  readonly media: PlaylistMedia;
}

/** A picture may begin so much before the time that was asked for, in seconds. */
const EARLY_S = 0.5;

/**
 * Plays a recording in one of two videos. What is loaded is loaded in the other one, and becomes visible with its first
 * picture: when the playlist is loaded again, nothing flashes.
 */
export class RecordingPlayer {
  /** What is to be rendered. They stay where they are in the document: a video that is moved pauses. */
  readonly videos: readonly HTMLVideoElement[] = [this.#newVideo(), this.#newVideo()];
  readonly #listener: RecordingListener;
  #visible: Screen | undefined;
  #loading: Screen | undefined;
  /** In the window of picture in picture, until that has another video: without media, the window closes. */
  #leaving: Screen | undefined;
  /** As `follow` said last. */
  #isPaused = false;

  constructor(listener: RecordingListener) {
    this.#listener = listener;
  }

  /** The one that has a picture to show. Undefined: none. */
  get visible(): HTMLVideoElement | undefined {
    return this.#visible?.video;
  }

  /** Where the visible picture is, in seconds. 0: there is none. */
  get time(): number {
    return this.#visible?.video.currentTime ?? 0;
  }

  /** How long what is visible was when it was loaded, in seconds. */
  get length(): number {
    return this.#visible?.video.duration || 0;
  }

  /** @param time in seconds */
  load(url: string, time: number): void {
    this.#loading?.media.close();
    const video = this.videos.find((one) => one !== this.#visible?.video)!;
    if (this.#leaving?.video === video) this.#endLeaving();
    const media = openPlaylist(video, url, time, (fault) => this.#onFault(screen, fault));
    const screen: Screen = { video, media };
    this.#loading = screen;
    const onFrame = (_: number, { mediaTime }: { mediaTime: number }): void => {
      if (this.#loading !== screen) return;
      if (mediaTime < time - EARLY_S) video.requestVideoFrameCallback(onFrame);
      else this.#show(screen);
    };
    video.requestVideoFrameCallback(onFrame);
    // Muted, so that the browser permits it, and no sound is heard twice. `follow` turns the sound on.
    video.muted = true;
    video.play().catch(() => {});
  }

  /** Seeks in what is loaded. @param time in seconds */
  seek(time: number): void {
    if (this.#visible) this.#visible.video.currentTime = time;
  }

  follow({ paused, muted, volume, speed }: Playing): void {
    const video = this.#visible?.video;
    if (!video) return;
    video.muted = muted;
    video.volume = volume;
    video.playbackRate = speed;
    this.#isPaused = paused;
    if (paused) video.pause();
    else if (video.paused && !video.ended) video.play().catch(() => {});
  }

  stop(): void {
    const visible = this.#visible;
    this.#loading?.media.close();
    this.#visible = this.#loading = undefined;
    if (visible) this.#close(visible);
  }

  #show(screen: Screen): void {
    this.#loading = undefined;
    const before = this.#visible;
    this.#visible = screen;
    if (before) this.#close(before);
    this.#listener.onPicture();
  }

  #close(screen: Screen): void {
    const { video } = screen;
    this.#endLeaving();
    this.#leaving = screen;
    if ((video.getRootNode() as ShadowRoot).pictureInPictureElement !== video) return this.#endLeaving();
    video.pause();
    video.addEventListener('leavepictureinpicture', () => this.#leaving === screen && this.#endLeaving());
  }

  #endLeaving(): void {
    this.#leaving?.media.close();
    this.#leaving = undefined;
  }

  #onFault(screen: Screen, fault: PlaylistFault): void {
    // While something else is loaded in its place, it no longer matters.
    if (screen === this.#loading || (screen === this.#visible && !this.#loading)) this.#listener.onFault(fault);
  }

  #newVideo(): HTMLVideoElement {
    const video = document.createElement('video');
    video.playsInline = true;
    // A page of another origin: the server decides by its origin, and captions of the page can be used.
    video.crossOrigin = 'anonymous';
    video.className = 'recording';
    video.part.add('recording');
    const isVisible = (): boolean => this.#visible?.video === video;
    video.addEventListener('ended', () => isVisible() && this.#listener.onEnded());
    video.addEventListener('timeupdate', () => isVisible() && this.#listener.onTime());
    const onPaused = (): void => {
      const { paused, ended, isConnected } = video;
      if (isVisible() && isConnected && !ended && paused !== this.#isPaused) this.#listener.onPaused(paused);
    };
    video.addEventListener('play', onPaused);
    video.addEventListener('pause', onPaused);
    // Of sound alone there is no picture to wait for.
    video.addEventListener('playing', () => {
      if (this.#loading?.video === video && video.videoWidth === 0) this.#show(this.#loading);
    });
    return video;
  }
}
