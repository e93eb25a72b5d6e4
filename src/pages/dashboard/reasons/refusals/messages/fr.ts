// Generated from fr.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const fr: RefusalReasons = {
  token_missing: 'Il n’y avait pas de jeton, et le stream en exige un.',
  token_unknown: 'Le jeton n’existe pas.',
  token_wrong_kind: 'Le jeton n’est pas du bon type : pour regarder au lieu de diffuser, ou l’inverse.',
  token_disabled: 'Le jeton est désactivé.',
  token_expired: 'Le jeton a expiré.',
  stream_not_permitted: 'Le jeton est pour d’autres streams.',
  stream_not_live: 'Rien n’était encore en direct. Sans jeton, les lecteurs attendent et redemandent au début.',
  stream_in_use: 'Quelqu’un d’autre diffusait ce stream.',
  origin_not_allowed: 'Le jeton est pour d’autres sites.',
  address_denied: 'Le jeton refuse cette adresse.',
  address_not_allowed: 'Le jeton est pour d’autres adresses.',
  country_not_allowed: 'Le jeton est pour d’autres pays.',
  address_not_bound: 'Le jeton est déjà lié à d’autres adresses.',
  token_full: 'Autant de spectateurs que le jeton en permet regardaient déjà.',
  account_full: 'Le compte avait autant de sessions que l’exploitant en permet.',
};
