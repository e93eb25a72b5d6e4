// Generated from zh.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const zh: CopyMessages = {
  copy: '复制',
  copied: '已复制',
  copyThis: (label) => `复制${label}`,
  copiedThis: (label) => `已复制${label}`,
};
