// Generated from es.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const es: ScheduledPageMessages = {
  loading: 'Cargando…',
  lost: 'Se ha perdido la conexión. Reintentando…',
  missing: {
    title: 'Esta emisión no existe',
    next: 'Puede que se haya eliminado. Vuelve a pedir el enlace.',
  },
  timeLeft: 'Tiempo hasta el comienzo',
  units: {
    days: (count) => (count === 1 ? 'día' : 'días'),
    hours: (count) => (count === 1 ? 'hora' : 'horas'),
    minutes: (count) => (count === 1 ? 'minuto' : 'minutos'),
    seconds: (count) => (count === 1 ? 'segundo' : 'segundos'),
  },
  becomesPlayer: 'Esta página se convierte sola en el reproductor.',
  timeZone: (name) => `Tu hora: ${name}`,
  addToCalendar: 'Añadir al calendario',
  landmarks: {
    tenMinutes: 'La emisión empieza en diez minutos.',
    oneMinute: 'La emisión empieza en un minuto.',
    start: 'La emisión empieza en cualquier momento.',
  },
  begun: 'La emisión ha empezado.',
  starting: 'Aún no ha empezado',
  paused: 'La emisión se ha interrumpido. Puede que continúe: esta página espera.',
  over: 'Esta emisión ha terminado. ¡Gracias por verla!',
};
