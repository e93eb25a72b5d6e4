// Generated from es.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const es: RefusalReasons = {
  token_missing: 'No había token, y el stream exige uno.',
  token_unknown: 'El token no existe.',
  token_wrong_kind: 'El token es del tipo equivocado: para ver en lugar de emitir, o al revés.',
  token_disabled: 'El token está desactivado.',
  token_expired: 'El token ha caducado.',
  stream_not_permitted: 'El token es para otros streams.',
  stream_not_live: 'Aún no había nada en directo. Sin token, los reproductores esperan y vuelven a preguntar cuando empieza.',
  stream_in_use: 'Otra persona emitía este stream.',
  origin_not_allowed: 'El token es para otros sitios web.',
  address_denied: 'El token rechaza esta dirección.',
  address_not_allowed: 'El token es para otras direcciones.',
  country_not_allowed: 'El token es para otros países.',
  address_not_bound: 'El token ya está vinculado a otras direcciones.',
  token_full: 'Ya veían con el token tantas personas como permite.',
  account_full: 'La cuenta ya tenía tantas sesiones como permite el operador.',
};
