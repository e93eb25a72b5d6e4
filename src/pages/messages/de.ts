// Generated from de.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const de: CopyMessages = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyThis: (label) => `${label} kopieren`,
  copiedThis: (label) => `${label} kopiert`,
};
