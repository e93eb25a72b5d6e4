import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
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

export const endReasons: EndReasons = {
  ...refusalReasons,
  left: 'Parti de lui-même.',
  lost: 'La connexion avec l’appareil a été coupée.',
  not_resumed: 'La connexion a été coupée, et l’appareil n’est pas revenu à temps.',
  not_connected: 'Les médias n’ont pas pu être connectés.',
  b_frames: 'L’encodeur a envoyé des images B. Réglez les images B sur 0 dans l’encodeur.',
  codec_unsupported: 'Le codec vidéo de l’encodeur n’est pas pris en charge. Réglez l’encodeur vidéo sur H.264.',
  nothing_to_publish: 'L’encodeur n’a envoyé ni image ni son qui puissent être publiés.',
  server_lost: 'Le serveur s’est arrêté sans prévenir.',
  replaced: 'Le même appareil s’est reconnecté.',
  transport_lost: 'Les médias n’arrivaient plus.',
  media_engine_restarted: 'Le moteur de médias a redémarré.',
  server_stopping: 'Le serveur a été arrêté.',
  database_unavailable: 'Le serveur avait perdu sa base de données.',
  moved: 'Le stream était sur un autre serveur.',
  stopped_by_owner: 'Quelqu’un a arrêté la diffusion depuis le tableau de bord ou l’API.',
  idle: 'L’appareil s’est connecté sans rien demander.',
  bitrate_too_high:
    'L’encodeur a envoyé beaucoup plus que ce que l’opérateur autorise. Réduisez le débit dans l’encodeur.',
  displaced: 'Un autre spectateur a pris la place que le jeton permet.',
  removed_by_owner: 'Quelqu’un a coupé la connexion depuis le tableau de bord ou l’API.',
};
