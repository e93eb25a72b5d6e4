// Generated from fr.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const fr: CopyMessages = {
  copy: 'Copier',
  copied: 'Copié',
  copyThis: (label) => `Copier : ${label}`,
  copiedThis: (label) => `Copié : ${label}`,
};
