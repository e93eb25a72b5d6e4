// Generated from ar.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const ar: CopyMessages = {
  copy: 'نسخ',
  copied: 'تم النسخ',
  copyThis: (label) => `نسخ: ${label}`,
  copiedThis: (label) => `تم النسخ: ${label}`,
};
