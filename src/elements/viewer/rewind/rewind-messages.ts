import type { RewindMessages } from '../../i18n/messages.js';

/** The English messages of the timeline, which is loaded only where it is used. */
export const rewindMessages: RewindMessages = {
  timeline: 'Timeline',
  behindLive: (_, shown) => `${shown} behind live`,
  speed: 'Speed',
  goToLive: 'Go to live',
  fromBeginning: 'Watch from the beginning',
  noRewind: 'This browser cannot go back in the stream',
  rewind_codec_unsupported: ['You cannot go back in this stream', 'Its video format does not permit it.'],
  session_required: ['You cannot go back now', 'Wait until the stream is connected.'],
};
