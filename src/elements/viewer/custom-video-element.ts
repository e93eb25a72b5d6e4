import { LitElement } from 'lit';
import { VIDEO_EVENTS, VIDEO_MEMBERS } from './video-members.js';

type Video = HTMLVideoElement;

/**
 * A tag around a video, which has of the video's interface (HTML 4.8.11) all that makes sense for a live one: what is
 * written for a `<video>`, such as media-chrome or a page's script, works with it.
 *
 * @fires {Event} playing - The picture moves.
 * @fires {Event} waiting - The picture stands for want of data.
 * @fires {Event} stalled - Nothing comes in.
 * @fires {Event} progress - Something came in.
 * @fires {Event} timeupdate - `currentTime` is another.
 * @fires {Event} volumechange - `volume` or `muted` is another.
 * @fires {Event} ratechange - `playbackRate` is another.
 * @fires {Event} resize - `videoWidth` or `videoHeight` is another, as when the quality is.
 * @fires {Event} durationchange - `duration` is another.
 * @fires {Event} loadstart - Media was given to it.
 * @fires {Event} loadedmetadata - The size of the picture is known.
 * @fires {Event} loadeddata - The first picture is there.
 * @fires {Event} canplay - It can play.
 * @fires {Event} canplaythrough - It can play without a stop.
 * @fires {Event} emptied - Its media was taken away.
 * @fires {Event} enterpictureinpicture - The picture is in a window of its own.
 * @fires {Event} leavepictureinpicture - The picture is back.
 */
export abstract class CustomVideoElement extends LitElement {
  protected readonly video = document.createElement('video');

  declare volume: number;
  declare muted: boolean;
  declare currentTime: number;
  declare playbackRate: number;
  declare disablePictureInPicture: boolean;
  declare disableRemotePlayback: boolean;
  declare readonly duration: number;
  declare readonly readyState: number;
  declare readonly networkState: number;
  declare readonly ended: boolean;
  declare readonly seeking: boolean;
  declare readonly seekable: TimeRanges;
  declare readonly buffered: TimeRanges;
  declare readonly played: TimeRanges;
  declare readonly videoWidth: number;
  declare readonly videoHeight: number;
  declare readonly srcObject: Video['srcObject'];
  declare readonly textTracks: TextTrackList;
  declare readonly remote: RemotePlayback;
  declare readonly addTextTrack: Video['addTextTrack'];
  declare readonly requestPictureInPicture: Video['requestPictureInPicture'];
  declare readonly requestVideoFrameCallback: Video['requestVideoFrameCallback'];
  declare readonly cancelVideoFrameCallback: Video['cancelVideoFrameCallback'];
  declare readonly getVideoPlaybackQuality: Video['getVideoPlaybackQuality'];

  static {
    const { prototype } = this;
    // What a browser has not, its tag has not either. On a server there is none.
    const known = globalThis.HTMLVideoElement?.prototype ?? {};
    for (const name of VIDEO_MEMBERS.filter((one) => one in known)) {
      Object.defineProperty(prototype, name, {
        configurable: true,
        get(this: CustomVideoElement) {
          const value: unknown = this.video[name];
          return typeof value === 'function' ? value.bind(this.video) : value;
        },
        set(this: CustomVideoElement, value: unknown) {
          Reflect.set(this.video, name, value);
        },
      });
    }
  }

  /** What the video keeps is no property of Lit's, which would give it back what the page set only at the first update. */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'muted'];
  }

  constructor() {
    super();
    // What the page set before this class was there lies over its accessors.
    for (const name of VIDEO_MEMBERS) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = this[name];
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.video.playsInline = true;
    this.video.part.add('video');
    for (const type of VIDEO_EVENTS) this.video.addEventListener(type, () => this.dispatchEvent(new Event(type)));
  }
  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (name === 'muted') this.muted = value !== null;
    else super.attributeChangedCallback(name, before, value);
  }
}
