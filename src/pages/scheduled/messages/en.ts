import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const en: ScheduledPageMessages = {
  loading: 'Loading …',
  lost: 'The connection is lost. Trying again …',
  missing: { title: 'This stream does not exist', next: 'It may have been removed. Ask for the link again.' },
  timeLeft: 'Time to the start',
  units: {
    days: ['day', 'days'],
    hours: ['hour', 'hours'],
    minutes: ['minute', 'minutes'],
    seconds: ['second', 'seconds'],
  },
  becomesPlayer: 'This page becomes the player by itself.',
  timeZone: (name) => `Your time: ${name}`,
  addToCalendar: 'Add to calendar',
  landmarks: {
    tenMinutes: 'The stream starts in ten minutes.',
    oneMinute: 'The stream starts in one minute.',
    start: 'The stream starts any moment.',
  },
  begun: 'The stream is live.',
  starting: 'Not started yet',
  paused: 'The broadcast has stopped. It may go on: this page waits.',
  over: 'This stream is over. Thank you for watching!',
};
