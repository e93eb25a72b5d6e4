// Generated from ja.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const ja: CopyMessages = {
  copy: 'コピー',
  copied: 'コピーしました',
  copyThis: (label) => `${label}をコピー`,
  copiedThis: (label) => `${label}をコピーしました`,
};
