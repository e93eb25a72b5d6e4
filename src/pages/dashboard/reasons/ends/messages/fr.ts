// Generated from fr.json by `npm run generate`. Do not edit.
import { fr as included } from '../../refusals/messages/fr.js';
import type { EndReasons } from './end-reasons.js';

export const fr: EndReasons = {
  ...included,
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
  bitrate_too_high: 'L’encodeur a envoyé beaucoup plus que ce que l’opérateur autorise. Réduisez le débit dans l’encodeur.',
  displaced: 'Un autre spectateur a pris la place que le jeton permet.',
  removed_by_owner: 'Quelqu’un a coupé la connexion depuis le tableau de bord ou l’API.',
};
