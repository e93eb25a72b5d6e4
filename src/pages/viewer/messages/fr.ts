// Generated from fr.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const fr: NoticeMessages = {
  title: 'Aucun direct sélectionné',
  missing: 'L’adresse de cette page ne contient aucun direct. Elle devrait avoir cette forme :',
  next: 'Demandez le lien complet.',
};
