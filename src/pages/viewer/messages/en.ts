// Generated from en.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const en: NoticeMessages = {
  title: 'No stream selected',
  missing: 'The address of this page has no stream. It should have this form:',
  next: 'Ask for the complete link.',
};
