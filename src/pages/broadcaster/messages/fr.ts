import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const fr: BroadcasterPageMessages = {
  incompleteLink: 'Ce lien est incomplet',
  streamAndToken: 'Il devrait nommer un direct et contenir un token :',
  makesOne: ['Le ', 'tableau de bord', ' en crée un en un clic.'],
  dashboard: 'Tableau de bord',
  linkComes: 'Dès que vous serez en direct, le lien pour vos spectateurs apparaîtra ici.',
  share: 'Partager',
  viewerLink: 'Lien pour les spectateurs',
  frame: 'Cadre pour un site web',
  tag: 'Balise pour un site web',
  privateStream: [
    'Un direct privé demande un token aux spectateurs : créez leurs liens dans le ',
    'tableau de bord',
    '.',
  ],
  copy: {
    copy: 'Copier',
    copied: 'Copié',
    copyThis: (label) => `Copier : ${label}`,
    copiedThis: (label) => `Copié : ${label}`,
  },
};
