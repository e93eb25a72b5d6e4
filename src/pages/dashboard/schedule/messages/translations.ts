// Generated from en.json by `npm run generate`. Do not edit.
import { translated } from '../../../translated.js';
import { en } from './en.js';
import type { ScheduleMessages } from './schedule-messages.js';

export const scheduleMessages = translated<ScheduleMessages>(en, {
  ar: async () => (await import('./ar.js')).ar,
  de: async () => (await import('./de.js')).de,
  es: async () => (await import('./es.js')).es,
  fr: async () => (await import('./fr.js')).fr,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
});
