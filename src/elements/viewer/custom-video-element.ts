import { StyledElement } from '../styled-element.js';
import { VIDEO_EVENTS, VIDEO_MEMBERS } from './video-members.js';

type Video = HTMLVideoElement;

/**
 * An element around a `<video>`, with the members of `HTMLVideoElement` (HTML 4.8.11) that make sense for live video.
 * Code written for a `<video>`, such as media-chrome or a script of the page, works with it.
 *
 * @fires {Event} playing - The picture moves.
 * @fires {Event} waiting - The picture stopped for lack of data.
 * @fires {Event} stalled - No data arrives.
 * @fires {Event} progress - Data arrived.
 * @fires {Event} timeupdate - `currentTime` changed.
 * @fires {Event} volumechange - `volume` or `muted` changed.
 * @fires {Event} ratechange - `playbackRate` changed.
 * @fires {Event} resize - `videoWidth` or `videoHeight` changed, for example with the quality.
 * @fires {Event} durationchange - `duration` changed.
 * @fires {Event} loadstart - The video has media.
 * @fires {Event} loadedmetadata - The size of the picture is known.
 * @fires {Event} loadeddata - The first picture has arrived.
 * @fires {Event} canplay - The video can play.
 * @fires {Event} canplaythrough - The video can play without interruption.
 * @fires {Event} emptied - The media was removed.
 * @fires {Event} enterpictureinpicture - The picture moved to a window of its own.
 * @fires {Event} leavepictureinpicture - The picture is back on the page.
 */
export abstract class CustomVideoElement extends StyledElement {
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
  declare readonly seeking: boolean;
  declare readonly seekable: TimeRanges;
  declare readonly buffered: TimeRanges;
  declare readonly played: TimeRanges;
  declare readonly videoWidth: number;
  declare readonly videoHeight: number;
  declare readonly srcObject: Video['srcObject'];
  declare readonly textTracks: TextTrackList;
  declare readonly remote: RemotePlayback;
  declare readonly sinkId: string;
  declare readonly setSinkId: Video['setSinkId'];
  declare readonly addTextTrack: Video['addTextTrack'];
  declare readonly requestPictureInPicture: Video['requestPictureInPicture'];
  declare readonly requestVideoFrameCallback: Video['requestVideoFrameCallback'];
  declare readonly cancelVideoFrameCallback: Video['cancelVideoFrameCallback'];
  declare readonly getVideoPlaybackQuality: Video['getVideoPlaybackQuality'];

  static {
    const { prototype } = this;
    // A member that the browser lacks is not defined. On a server there is no HTMLVideoElement.
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

  constructor() {
    super();
    // A property that the page set before the class was defined hides the accessor.
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
}
