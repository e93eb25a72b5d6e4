// Generated from es.json by `npm run generate`. Do not edit.
import type { NoticeMessages } from './notice-messages.js';

export const es: NoticeMessages = {
  title: 'No se ha elegido ninguna emisión',
  missing: 'La dirección de esta página no contiene ninguna emisión. Debería tener esta forma:',
  next: 'Pide el enlace completo.',
};
