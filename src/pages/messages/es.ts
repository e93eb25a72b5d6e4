// Generated from es.json by `npm run generate`. Do not edit.
import type { CopyMessages } from './copy-messages.js';

export const es: CopyMessages = {
  copy: 'Copiar',
  copied: 'Copiado',
  copyThis: (label) => `Copiar: ${label}`,
  copiedThis: (label) => `Copiado: ${label}`,
};
