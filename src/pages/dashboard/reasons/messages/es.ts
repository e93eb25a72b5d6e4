import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: 'No había token, y el stream exige uno.',
  token_unknown: 'El token no existe.',
  token_wrong_kind: 'El token es del tipo equivocado: para ver en lugar de emitir, o al revés.',
  token_disabled: 'El token está desactivado.',
  token_expired: 'El token ha caducado.',
  stream_not_permitted: 'El token es para otros streams.',
  stream_not_live:
    'Aún no había nada en directo. Sin token, los reproductores esperan y vuelven a preguntar cuando empieza.',
  stream_in_use: 'Otra persona emitía este stream.',
  origin_not_allowed: 'El token es para otros sitios web.',
  address_denied: 'El token rechaza esta dirección.',
  address_not_allowed: 'El token es para otras direcciones.',
  country_not_allowed: 'El token es para otros países.',
  address_not_bound: 'El token ya está vinculado a otras direcciones.',
  token_full: 'Ya veían con el token tantas personas como permite.',
  account_full: 'La cuenta ya tenía tantas sesiones como permite el operador.',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
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
  bitrate_too_high:
    'El codificador envió mucho más de lo que permite el operador. Reduzca la tasa de bits en el codificador.',
  displaced: 'Otro espectador ocupó el lugar que permite el token.',
  removed_by_owner: 'Alguien cortó la conexión desde el panel o la API.',
};
