// Generated from de.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const de: QualityMessages = {
  experience: 'Was die Zuschauer sahen',
  nothing: 'In diesem Zeitraum hat kein Zuschauer berichtet.',
  devices: {
    phone: 'Telefon',
    tablet: 'Tablet-PC',
    tv: 'Fernseher',
    desktop: 'Rechner',
    unknown: 'Unbekanntes Gerät',
  },
  freezes: (count, duration) => `Eingefroren: ${count}-mal (${duration})`,
  pictureAfter: (duration) => `Bild nach ${duration}`,
  frozen: 'Bild eingefroren',
  firstPicture: 'Erstes Bild',
  within: (median, p95) => `die Hälfte innerhalb von ${median}, 95 von 100 innerhalb von ${p95}`,
  resolution: 'Auflösung',
  roundTrip: 'Umlaufzeit',
  loss: 'Verlorene Pakete',
  worst: 'Die schlechtesten fünf Minuten',
  worstAt: (time, frozen, all, shownAll) => (all === 1 ? `${time}: Das Bild fror bei ${frozen} von ${shownAll} Zuschauer ein.` : `${time}: Das Bild fror bei ${frozen} von ${shownAll} Zuschauern ein.`),
  causes: {
    server_load: 'Der Server war überlastet: Er sendete den Zuschauern weniger oder zu spät. Geben Sie ihm weniger zu tun oder mehr Kerne.',
    broadcast: 'Die meisten Zuschauer hatten es, ohne Pakete zu verlieren. Prüfen Sie den Upload des Senders.',
    server_network: 'Die meisten Zuschauer verloren Pakete. Prüfen Sie das Netz des Servers.',
    viewer_network: 'Wenige Zuschauer verloren Pakete, auf ihrem eigenen Weg zum Server.',
    viewer_device: 'Wenige Zuschauer hatten es, ohne Pakete zu verlieren. Ihre Geräte waren vermutlich zu langsam.',
  },
};
