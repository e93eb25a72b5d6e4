// Generated from es.json by `npm run generate`. Do not edit.
import type { RewindMessages } from '../../messages.js';

export const es: RewindMessages = {
  timeline: 'Línea de tiempo',
  behindLive: (_count, shownCount) => `${shownCount} por detrás del directo`,
  speed: 'Velocidad',
  goToLive: 'Volver al directo',
  fromBeginning: 'Ver desde el principio',
  noRewind: 'Este navegador no permite retroceder en la emisión',
  rewind_codec_unsupported: ['No se puede retroceder en esta emisión', 'Su formato de vídeo no lo permite.'],
  session_required: ['Ahora no se puede retroceder', 'Espera a que la emisión esté conectada.'],
};
