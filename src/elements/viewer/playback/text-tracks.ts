/**
 * Adds a copy of each `<track>` of the tag to the video: a browser shows only the cues of tracks that are children of
 * the video. Removes the copies of tracks that were removed.
 *
 * @param copies the copies in the video by their originals; this function updates them
 */
export function cloneTracks(
  elements: readonly Element[],
  video: HTMLVideoElement,
  copies: Map<Element, Element>,
): void {
  const tracks = elements.filter(({ localName }) => localName === 'track');
  for (const [track, copy] of copies) {
    if (tracks.includes(track)) continue;
    copy.remove();
    copies.delete(track);
  }
  for (const track of tracks) {
    if (copies.has(track)) continue;
    const copy = track.cloneNode() as Element;
    copies.set(track, copy);
    video.append(copy);
  }
}

/** The tracks for captions and subtitles, without those for chapters, descriptions and metadata. */
export function captionTracks(video: HTMLVideoElement): readonly TextTrack[] {
  return [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles');
}
