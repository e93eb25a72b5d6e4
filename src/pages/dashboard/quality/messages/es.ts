// Generated from es.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const es: QualityMessages = {
  experience: 'Lo que vieron los espectadores',
  nothing: 'Ningún espectador informó en este periodo.',
  devices: {
    phone: 'Teléfono',
    tablet: 'Tableta',
    tv: 'Televisor',
    desktop: 'Ordenador',
    unknown: 'Dispositivo desconocido',
  },
  freezes: (count, duration) => `Congelaciones: ${count} (${duration})`,
  pictureAfter: (duration) => `Imagen a los ${duration}`,
  frozen: 'Imagen congelada',
  firstPicture: 'Primera imagen',
  within: (median, p95) => `la mitad en ${median}, 95 de 100 en ${p95}`,
  resolution: 'Resolución',
  roundTrip: 'Ida y vuelta',
  loss: 'Paquetes perdidos',
  worst: 'Los peores cinco minutos',
  worstAt: (time, frozen, all, shownAll) => (all === 1 ? `${time}: la imagen se congeló para ${frozen} de ${shownAll} espectador.` : `${time}: la imagen se congeló para ${frozen} de ${shownAll} espectadores.`),
  causes: {
    server_load: 'El servidor estaba saturado: envió menos a los espectadores, o demasiado tarde. Dele menos trabajo o más núcleos.',
    broadcast: 'Le ocurrió a la mayoría sin perder paquetes. Revise la subida del emisor.',
    server_network: 'La mayoría perdió paquetes. Revise la red del servidor.',
    viewer_network: 'Pocos espectadores perdieron paquetes, en su propio camino al servidor.',
    viewer_device: 'Le ocurrió a pocos, sin perder paquetes. Probablemente sus dispositivos eran demasiado lentos.',
  },
};
