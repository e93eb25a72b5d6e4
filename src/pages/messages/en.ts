// Generated from en.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const en: CopyMessages = {
  copy: 'Copy',
  copied: 'Copied',
  copyThis: (label) => `Copy ${label}`,
  copiedThis: (label) => `${label} copied`,
};
