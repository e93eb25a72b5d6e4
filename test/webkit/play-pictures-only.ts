/**
 * On a machine without audio output, a video with a track of sound sometimes waits for ever for its first frame. So videos
 * get the tracks with pictures only, and pages do not see that. Runs in the
 * page.
 */
export function playPicturesOnly(): void {
  const pictures = new WeakMap<MediaStream, MediaStream>();
  const given = new WeakMap<HTMLMediaElement, MediaStream>();
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'srcObject')!;
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', {
    configurable: true,
    enumerable: true,
    get(this: HTMLMediaElement) {
      return given.get(this) ?? (get!.call(this) as MediaStream | null);
    },
    set(this: HTMLMediaElement, media: MediaStream | null) {
      if (media) given.set(this, media);
      else given.delete(this);
      const shown = media && (pictures.get(media) ?? new MediaStream(media.getVideoTracks()));
      if (media && shown) pictures.set(media, shown);
      set!.call(this, shown);
    },
  });
  const { addTrack, removeTrack } = MediaStream.prototype;
  MediaStream.prototype.addTrack = function (track) {
    addTrack.call(this, track);
    const shown = track.kind === 'video' && pictures.get(this);
    if (shown) addTrack.call(shown, track);
  };
  MediaStream.prototype.removeTrack = function (track) {
    removeTrack.call(this, track);
    const shown = pictures.get(this);
    if (shown) removeTrack.call(shown, track);
  };
}
