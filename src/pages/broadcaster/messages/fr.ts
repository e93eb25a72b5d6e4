// Generated from fr.json by `npm run generate`. Do not edit.
import { fr as copy } from '../../messages/fr.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const fr: BroadcasterPageMessages = {
  incompleteLink: 'Ce lien est incomplet',
  neededParts: 'Un lien de diffusion contient le nom du direct et un token :',
  createdBy: ['Créez-en un dans le ', 'tableau de bord', '.'],
  insecure: {
    title: 'La caméra n’est pas disponible ici',
    cause: 'Les navigateurs ne donnent la caméra et le micro qu’aux pages en https, ou sur localhost. Cette page a été chargée en http.',
    next: ['Ouvrez-la en https. ', 'Comment mettre en place https', ''],
  },
  dashboard: 'Tableau de bord',
  linkAfterStart: 'Dès que vous serez en direct, le lien pour vos spectateurs apparaîtra ici.',
  refusedLink: 'Ce lien ne permet pas de passer en direct. Demandez à la personne qui vous l’a envoyé.',
  share: 'Partager',
  viewerLink: 'Lien pour les spectateurs',
  iframe: 'Cadre pour un site web',
  tag: 'Balise pour un site web',
  privateStream: 'Ce direct est privé : pour le regarder, il faut un lien avec un token.',
  createViewerLink: 'Créer un lien pour les spectateurs',
  askForLinks: 'Le tableau de bord s’ouvre dans un autre onglet, et vous restez en direct ici. Sans accès, demandez à la personne qui vous a envoyé ce lien.',
  language: 'Langue',
  willBeRecorded: 'Cette diffusion sera enregistrée dès le début. Pendant le direct, vous pouvez arrêter l’enregistrement.',
  copy,
};
