// Generated from en.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const en: RewindMessages = {
  timeline: 'Timeline',
  behindLive: (_count, shownCount) => `${shownCount} behind live`,
  speed: 'Speed',
  goToLive: 'Go to live',
  fromBeginning: 'Watch from the beginning',
  noRewind: 'This browser cannot go back in the stream',
  rewind_codec_unsupported: ['You cannot go back in this stream', 'Its video format does not permit it.'],
  session_required: ['You cannot go back now', 'Wait until the stream is connected.'],
};
