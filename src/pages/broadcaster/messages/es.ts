// Generated from es.json by `npm run generate`. Do not edit.
import { es as copy } from '../../messages/es.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const es: BroadcasterPageMessages = {
  incompleteLink: 'Este enlace está incompleto',
  neededParts: 'Un enlace para emitir contiene el nombre de la emisión y un token:',
  createdBy: ['Crea uno en el ', 'panel', '.'],
  insecure: {
    title: 'La cámara no está disponible aquí',
    cause: 'Los navegadores solo dan la cámara y el micrófono a páginas con https o en localhost. Esta página se cargó con http.',
    next: ['Ábrela con https. ', 'Cómo configurar https', ''],
  },
  dashboard: 'Panel',
  linkAfterStart: 'Cuando estés en directo, aquí aparecerá el enlace para tus espectadores.',
  refusedLink: 'No puedes emitir con este enlace. Pregunta a quien te lo envió.',
  share: 'Compartir',
  viewerLink: 'Enlace para espectadores',
  iframe: 'Marco para un sitio web',
  tag: 'Etiqueta para un sitio web',
  privateStream: 'Esta emisión es privada: para verla hace falta un enlace con token.',
  createViewerLink: 'Crear un enlace para espectadores',
  askForLinks: 'Abre el panel en otra pestaña y sigues en directo aquí. Si no tienes acceso, pídelo a quien te envió este enlace.',
  language: 'Idioma',
  willBeRecorded: 'Esta emisión se grabará desde el principio. Mientras estés en directo puedes detener la grabación.',
  copy,
};
