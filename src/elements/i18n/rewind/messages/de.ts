// Generated from de.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const de: RewindMessages = {
  timeline: 'Zeitleiste',
  behindLive: (_count, shownCount) => `${shownCount} hinter live`,
  speed: 'Geschwindigkeit',
  goToLive: 'Zurück zu live',
  fromBeginning: 'Von Anfang an ansehen',
  noRewind: 'In diesem Browser können Sie nicht zurückspringen',
  rewind_codec_unsupported: ['In diesem Stream können Sie nicht zurückspringen', 'Sein Videoformat erlaubt es nicht.'],
  session_required: ['Zurückspringen ist gerade nicht möglich', 'Warten Sie, bis der Stream verbunden ist.'],
};
