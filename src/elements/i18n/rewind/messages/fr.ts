// Generated from fr.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const fr: RewindMessages = {
  timeline: 'Barre de temps',
  behindLive: (_count, shownCount) => `${shownCount} de retard sur le direct`,
  speed: 'Vitesse',
  goToLive: 'Revenir au direct',
  fromBeginning: 'Regarder depuis le début',
  noRewind: 'Ce navigateur ne permet pas de revenir en arrière',
  rewind_codec_unsupported: ['Impossible de revenir en arrière dans ce direct', 'Son format vidéo ne le permet pas.'],
  session_required: ['Impossible de revenir en arrière pour le moment', 'Attendez que le direct soit connecté.'],
};
