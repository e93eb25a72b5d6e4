// Generated from fr.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const fr: ScheduledPageMessages = {
  loading: 'Chargement…',
  lost: 'La connexion est interrompue. Nouvelle tentative…',
  missing: {
    title: 'Ce direct n’existe pas',
    next: 'Il a peut-être été supprimé. Redemandez le lien.',
  },
  timeLeft: 'Temps avant le début',
  units: {
    days: (count) => (count < 2 ? 'jour' : 'jours'),
    hours: (count) => (count < 2 ? 'heure' : 'heures'),
    minutes: (count) => (count < 2 ? 'minute' : 'minutes'),
    seconds: (count) => (count < 2 ? 'seconde' : 'secondes'),
  },
  becomesPlayer: 'Cette page devient le lecteur d’elle-même.',
  timeZone: (name) => `Votre heure : ${name}`,
  addToCalendar: 'Ajouter au calendrier',
  landmarks: {
    tenMinutes: 'Le direct commence dans dix minutes.',
    oneMinute: 'Le direct commence dans une minute.',
    start: 'Le direct commence d’un instant à l’autre.',
  },
  begun: 'Le direct a commencé.',
  starting: 'Pas encore commencé',
  paused: 'La diffusion s’est interrompue. Elle peut reprendre : cette page attend.',
  over: 'Ce direct est terminé. Merci de l’avoir suivi !',
};
