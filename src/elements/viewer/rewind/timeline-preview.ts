import { openPlaylist, type PlaylistMedia } from './playlist-media.js';
import { thumbAt } from './timeline.js';

/** Over the timeline: the time, and the picture of it, where a mouse points or where the slider is held. */
export class TimelinePreview {
  readonly element = document.createElement('div');
  readonly #video = document.createElement('video');
  readonly #time = document.createElement('span');
  #media: PlaylistMedia | undefined;
  /** Where the picture is to be, in seconds. Undefined: it is there, or on its way. */
  #wanted: number | undefined;

  constructor() {
    const { element } = this;
    const video = this.#video;
    element.className = 'preview';
    element.part.add('timeline-preview');
    // Screen readers have the value of the slider.
    element.ariaHidden = 'true';
    element.hidden = true;
    this.#time.className = 'time';
    Object.assign(video, { muted: true, playsInline: true, crossOrigin: 'anonymous', hidden: true });
    element.append(video, this.#time);
    for (const type of ['loadeddata', 'seeked'])
      video.addEventListener(type, () => {
        video.hidden = video.videoWidth === 0;
        this.#seek();
      });
  }

  /**
   * @param url of the playlist
   * @param time in seconds
   * @param part the time as a part of the length
   * @param shown the time in figures
   */
  show(url: string, time: number, part: number, shown: string, dir: 'ltr' | 'rtl'): void {
    const { element } = this;
    element.hidden = false;
    this.#time.textContent = shown;
    this.#wanted = time;
    if (this.#media) this.#seek();
    // Where it cannot be played, there is the time alone.
    else this.#media = openPlaylist(this.#video, url, time, () => {}, 'preview');
    const slider = element.previousElementSibling as HTMLElement;
    const middle = slider.offsetLeft + thumbAt(part, slider.offsetWidth, dir);
    const room = element.parentElement!.clientWidth - element.offsetWidth;
    element.style.left = `${Math.max(0, Math.min(room, middle - element.offsetWidth / 2))}px`;
  }

  hide(): void {
    this.element.hidden = this.#video.hidden = true;
    this.#media?.close();
    this.#media = this.#wanted = undefined;
  }

  /** One at a time: while a picture loads, only the place that was wanted last counts. */
  #seek(): void {
    const video = this.#video;
    if (this.#wanted === undefined || video.seeking || video.readyState === 0) return;
    const time = Math.min(this.#wanted, video.duration - 0.1);
    this.#wanted = undefined;
    if (Math.abs(time - video.currentTime) > 0.5) video.currentTime = time;
  }
}
