import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const es: BroadcasterPageMessages = {
  incompleteLink: 'Este enlace está incompleto',
  streamAndToken: 'Debería indicar una emisión y contener un token:',
  makesOne: ['El ', 'panel', ' crea uno con un clic.'],
  dashboard: 'Panel',
  linkComes: 'Cuando estés en directo, aquí aparecerá el enlace para tus espectadores.',
  share: 'Compartir',
  viewerLink: 'Enlace para espectadores',
  frame: 'Marco para un sitio web',
  tag: 'Etiqueta para un sitio web',
  privateStream: ['Una emisión privada pide un token a los espectadores: crea sus enlaces en el ', 'panel', '.'],
  copy: {
    copy: 'Copiar',
    copied: 'Copiado',
    copyThis: (label) => `Copiar: ${label}`,
    copiedThis: (label) => `Copiado: ${label}`,
  },
};
