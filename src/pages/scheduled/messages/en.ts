// Generated from en.json by `npm run generate`. Do not edit.
import type { ScheduledPageMessages } from './scheduled-page-messages.js';

export const en: ScheduledPageMessages = {
  loading: 'Loading …',
  lost: 'The connection is lost. Trying again …',
  missing: {
    title: 'This stream does not exist',
    next: 'It may have been removed. Ask for the link again.',
  },
  timeLeft: 'Time to the start',
  units: {
    days: (count) => (count === 1 ? 'day' : 'days'),
    hours: (count) => (count === 1 ? 'hour' : 'hours'),
    minutes: (count) => (count === 1 ? 'minute' : 'minutes'),
    seconds: (count) => (count === 1 ? 'second' : 'seconds'),
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
