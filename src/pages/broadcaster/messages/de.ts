// Generated from de.json by `npm run generate`. Do not edit.
import { de as copy } from '../../messages/de.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const de: BroadcasterPageMessages = {
  incompleteLink: 'Dieser Link ist unvollständig',
  neededParts: 'Ein Link zum Senden enthält einen Stream-Namen und ein Token:',
  createdBy: ['Erstellen Sie einen in der ', 'Übersicht', '.'],
  insecure: {
    title: 'Die Kamera ist hier nicht verfügbar',
    cause: 'Browser geben einer Seite Kamera und Mikrofon nur über https oder auf localhost. Diese Seite wurde über http geladen.',
    next: ['Öffnen Sie sie mit https. ', 'https einrichten', ''],
  },
  dashboard: 'Übersicht',
  linkAfterStart: 'Sobald Sie live sind, erscheint hier der Link für Ihr Publikum.',
  refusedLink: 'Mit diesem Link können Sie nicht live gehen. Fragen Sie, wer ihn Ihnen geschickt hat.',
  share: 'Teilen',
  viewerLink: 'Link zum Zuschauen',
  iframe: 'Rahmen für eine Website',
  tag: 'Tag für eine Website',
  privateStream: 'Dieser Stream ist privat: Wer zusehen will, braucht einen Link mit einem Token.',
  createViewerLink: 'Link zum Zuschauen erstellen',
  askForLinks: 'Das öffnet die Übersicht in einem anderen Tab, und Sie bleiben hier live. Ohne Zugang fragen Sie, wer Ihnen diesen Link geschickt hat.',
  language: 'Sprache',
  willBeRecorded: 'Diese Sendung wird von Beginn an aufgenommen. Während Sie live sind, können Sie die Aufnahme beenden.',
  copy,
};
