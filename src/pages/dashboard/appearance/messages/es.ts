// Generated from es.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const es: AppearanceMessages = {
  appearance: 'Apariencia',
  purpose: 'El aspecto de las páginas para espectadores y emisores. Los enlaces compartidos muestran el nombre y el logotipo.',
  name: 'Nombre',
  nameHint: 'El título de las páginas, por ejemplo el nombre de tu empresa.',
  colors: { accent: 'Color de acento', background: 'Color de fondo' },
  colorHints: {
    accent: 'Del distintivo de directo y de los botones. Vacío: el del producto.',
    background: 'De las páginas. Los textos son negros o blancos, según se lean mejor. Vacío: el del producto.',
  },
  choose: (field) => `Elegir: ${field}`,
  notAColor: 'Escribe un color como #e5484d.',
  tooPale: (found, needed, nearest) => `El texto blanco se lee mal sobre él: contraste ${found}, hace falta ${needed}. El color más cercano que sirve es ${nearest}.`,
  save: 'Guardar',
  saved: 'Guardado. Las páginas cambian en diez segundos.',
  reset: 'Restablecer',
  wasReset: 'Las páginas vuelven a tener el aspecto del producto.',
  logo: 'Logotipo',
  logoHint: 'Una imagen PNG, JPEG o WebP. Las imágenes grandes se reducen.',
  noLogo: 'No hay logotipo.',
  addLogo: 'Elegir una imagen',
  replaceLogo: 'Elegir otra imagen',
  removeLogo: 'Quitar el logotipo',
  unreadableLogo: 'Este archivo no es una imagen utilizable. Elige un archivo PNG, JPEG o WebP.',
  preview: 'Vista previa',
  sampleText: 'La emisión aún no ha empezado.',
  sampleBadge: 'En directo',
  sampleButton: 'Emitir',
};
