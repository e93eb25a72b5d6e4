import { withoutRegion } from '../../../visitor-language.js';
import { en } from './en.js';
import type { RecordingsMessages } from './recordings-messages.js';

const TRANSLATIONS: Readonly<Record<string, () => Promise<RecordingsMessages>>> = {
  ar: async () => (await import('./ar.js')).ar,
  de: async () => (await import('./de.js')).de,
  es: async () => (await import('./es.js')).es,
  fr: async () => (await import('./fr.js')).fr,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};

/** The texts in this language, or else in English. @param language BCP 47 tag */
export async function recordingsMessages(language: string): Promise<RecordingsMessages> {
  const translation = TRANSLATIONS[withoutRegion(language)];
  return translation ? await translation() : en;
}
