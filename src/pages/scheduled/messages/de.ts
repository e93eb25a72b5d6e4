// Generated from de.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const de: ScheduledPageMessages = {
  loading: 'Wird geladen …',
  lost: 'Die Verbindung ist unterbrochen. Neuer Versuch …',
  missing: {
    title: 'Diesen Stream gibt es nicht',
    next: 'Vielleicht wurde er entfernt. Bitten Sie noch einmal um den Link.',
  },
  timeLeft: 'Zeit bis zum Beginn',
  units: {
    days: (count) => (count === 1 ? 'Tag' : 'Tage'),
    hours: (count) => (count === 1 ? 'Stunde' : 'Stunden'),
    minutes: (count) => (count === 1 ? 'Minute' : 'Minuten'),
    seconds: (count) => (count === 1 ? 'Sekunde' : 'Sekunden'),
  },
  becomesPlayer: 'Diese Seite wird von selbst zum Player.',
  timeZone: (name) => `Ihre Zeit: ${name}`,
  addToCalendar: 'In den Kalender',
  landmarks: {
    tenMinutes: 'Der Stream beginnt in zehn Minuten.',
    oneMinute: 'Der Stream beginnt in einer Minute.',
    start: 'Der Stream beginnt jeden Moment.',
  },
  begun: 'Der Stream ist live.',
  starting: 'Noch nicht begonnen',
  paused: 'Die Übertragung ist unterbrochen. Vielleicht geht sie weiter: Diese Seite wartet.',
  over: 'Dieser Stream ist zu Ende. Danke fürs Zuschauen!',
};
