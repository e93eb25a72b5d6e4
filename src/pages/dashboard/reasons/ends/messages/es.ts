// Generated from es.json by `npm run generate`. Do not edit.
import { es as included } from '../../refusals/messages/es.js';
import type { EndReasons } from './end-reasons.js';

export const es: EndReasons = {
  ...included,
  left: 'Se fue.',
  lost: 'Se cortó la conexión con el dispositivo.',
  not_resumed: 'Se cortó la conexión y el dispositivo no volvió a tiempo.',
  not_connected: 'No se pudo conectar el vídeo ni el audio.',
  b_frames: 'El codificador envió fotogramas B. Ponga los fotogramas B a 0 en el codificador.',
  codec_unsupported: 'El códec de vídeo del codificador no es compatible. Configure el codificador de vídeo en H.264.',
  nothing_to_publish: 'El codificador no envió imagen ni sonido que se puedan publicar.',
  server_lost: 'El servidor se detuvo sin aviso.',
  replaced: 'El mismo dispositivo se conectó de nuevo.',
  transport_lost: 'Dejaron de llegar el vídeo y el audio.',
  media_engine_restarted: 'El motor de medios se reinició.',
  server_stopping: 'El servidor se detuvo.',
  database_unavailable: 'El servidor perdió su base de datos.',
  moved: 'El stream estaba en otro servidor.',
  stopped_by_owner: 'Alguien detuvo la transmisión desde el panel o la API.',
  idle: 'El dispositivo se conectó y no pidió nada.',
  bitrate_too_high: 'El codificador envió mucho más de lo que permite el operador. Reduzca la tasa de bits en el codificador.',
  displaced: 'Otro espectador ocupó el lugar que permite el token.',
  removed_by_owner: 'Alguien cortó la conexión desde el panel o la API.',
};
