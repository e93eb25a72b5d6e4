import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const de: BroadcasterPageMessages = {
  incompleteLink: 'Dieser Link ist unvollständig',
  streamAndToken: 'Er sollte einen Stream nennen und ein Token enthalten:',
  makesOne: ['Die ', 'Übersicht', ' erstellt einen mit einem Klick.'],
  dashboard: 'Übersicht',
  linkComes: 'Sobald Sie live sind, erscheint hier der Link für Ihr Publikum.',
  share: 'Teilen',
  viewerLink: 'Link zum Zuschauen',
  frame: 'Rahmen für eine Website',
  tag: 'Tag für eine Website',
  privateStream: [
    'Ein privater Stream verlangt zum Zuschauen ein Token. Links mit Token gibt es in der ',
    'Übersicht',
    '.',
  ],
  copy: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyThis: (label) => `${label} kopieren`,
    copiedThis: (label) => `${label} kopiert`,
  },
};
