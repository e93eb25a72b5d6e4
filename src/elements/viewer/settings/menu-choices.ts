import type { ViewerMessages } from '../../i18n/messages.js';
import { captionTracks } from '../playback/text-tracks.js';
import type { VideoRenditionList } from '../playback/video-renditions.js';

/** A radio button of the settings. */
export interface Choice {
  readonly label: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** The renditions, and automatic selection. Empty with a single rendition: there is nothing to choose. */
export function qualityChoices(messages: ViewerMessages, renditions: VideoRenditionList): readonly Choice[] {
  if (renditions.length < 2) return [];
  const choice = (label: string, index: number): Choice => ({
    label,
    isChosen: renditions.selectedIndex === index,
    choose: () => (renditions.selectedIndex = index),
  });
  return [choice(messages.automatic, -1), ...[...renditions].map(({ id }, index) => choice(id, index))];
}

/** The caption tracks of the video, and none. */
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
