/**
 * Gives a video a copy of each `<track>` that the page put into the tag, as its own children: a browser shows the cues
 * of no others.
 *
 * @param copies of the tracks that the video has by now, by the page's
 */
export function cloneTracks(given: readonly Element[], video: HTMLVideoElement, copies: Map<Element, Element>): void {
  const tracks = given.filter(({ localName }) => localName === 'track');
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

/** Those that are read, not those for programs. */
export function captionTracks(video: HTMLVideoElement): readonly TextTrack[] {
  return [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles');
}
