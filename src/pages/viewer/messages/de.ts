// Generated from de.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const de: NoticeMessages = {
  title: 'Kein Stream ausgewählt',
  missing: 'Die Adresse dieser Seite enthält keinen Stream. Sie sollte diese Form haben:',
  next: 'Bitten Sie um den vollständigen Link.',
};
