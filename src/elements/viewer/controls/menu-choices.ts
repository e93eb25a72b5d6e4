import type { VideoLayer } from '../../../client/viewer/layers.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import { captionTracks } from '../playback/text-tracks.js';

export interface Choice {
  readonly label: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** What `quality` asks for, in pixels: `720` and `720p` are alike. 0: whatever the network carries. */
export function heightOf(quality: string): number {
  return /^\d+p?$/i.test(quality) ? parseInt(quality, 10) : 0;
}

/** The heights that the video comes in, and the choice left to us. One height alone is no choice. */
export function qualityChoices(
  messages: ViewerMessages,
  layers: readonly VideoLayer[],
  chosen: number,
  choose: (quality: string) => void,
): readonly Choice[] {
  const heights = [...new Set(layers.map(({ height }) => height))].filter((height) => height > 0);
  if (heights.length < 2) return [];
  // A height that is not there is answered with the nearest below, or else the lowest.
  const nearest = heights.find((height) => height <= chosen) ?? heights.at(-1);
  return [
    { label: messages.automatic, isChosen: !chosen, choose: () => choose('auto') },
    ...heights.map((height) => ({
      label: `${height}p`,
      isChosen: Boolean(chosen) && height === nearest,
      choose: () => choose(String(height)),
    })),
  ];
}

export function captionChoices(messages: ViewerMessages, video: HTMLVideoElement): readonly Choice[] {
  const tracks = captionTracks(video);
  if (tracks.length === 0) return [];
  const show = (shown?: TextTrack) => (): void => {
    for (const track of tracks) track.mode = track === shown ? 'showing' : 'disabled';
  };
  const all = tracks.map((track) => ({
    label: track.label || track.language || messages.captions,
    isChosen: track.mode === 'showing',
    choose: show(track),
  }));
  return [{ label: messages.captionsOff, isChosen: !all.some(({ isChosen }) => isChosen), choose: show() }, ...all];
}
