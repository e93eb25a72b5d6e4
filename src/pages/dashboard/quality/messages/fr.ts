// Generated from fr.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const fr: QualityMessages = {
  experience: 'Ce que les spectateurs ont vu',
  nothing: 'Aucun spectateur n’a envoyé de rapport pendant cette période.',
  devices: {
    phone: 'Téléphone',
    tablet: 'Tablette',
    tv: 'Téléviseur',
    desktop: 'Ordinateur',
    unknown: 'Appareil inconnu',
  },
  freezes: (count, duration) => `Images figées : ${count} (${duration})`,
  pictureAfter: (duration) => `Image après ${duration}`,
  frozen: 'Image figée',
  firstPicture: 'Première image',
  within: (median, p95) => `la moitié en ${median}, 95 sur 100 en ${p95}`,
  resolution: 'Résolution',
  roundTrip: 'Aller-retour',
  loss: 'Paquets perdus',
  worst: 'Les cinq pires minutes',
  worstAt: (time, frozen, all, shownAll) => (all < 2 ? `${time} : l’image s’est figée pour ${frozen} sur ${shownAll} spectateur.` : `${time} : l’image s’est figée pour ${frozen} sur ${shownAll} spectateurs.`),
  causes: {
    server_load: 'Le serveur était surchargé : il a envoyé moins aux spectateurs, ou trop tard. Donnez-lui moins à faire, ou plus de cœurs.',
    broadcast: 'La plupart des spectateurs sont touchés sans perte de paquets. Vérifiez l’envoi du diffuseur.',
    server_network: 'La plupart des spectateurs ont perdu des paquets. Vérifiez le réseau du serveur.',
    viewer_network: 'Peu de spectateurs ont perdu des paquets, sur leur propre chemin vers le serveur.',
    viewer_device: 'Peu de spectateurs sont touchés, sans perte de paquets. Leurs appareils étaient sans doute trop lents.',
  },
};
