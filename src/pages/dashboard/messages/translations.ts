import { withoutRegion } from '../../visitor-language.js';
import type { DashboardMessages } from './dashboard-messages.js';
import { en } from './en.js';

const TRANSLATIONS: Readonly<Record<string, () => Promise<DashboardMessages>>> = {
  ar: async () => (await import('./ar.js')).ar,
  de: async () => (await import('./de.js')).de,
  es: async () => (await import('./es.js')).es,
  fr: async () => (await import('./fr.js')).fr,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};

/** The texts in this language, or else in English. @param language BCP 47 tag */
export async function dashboardMessages(language: string): Promise<DashboardMessages> {
  const translation = TRANSLATIONS[withoutRegion(language)];
  return translation ? await translation() : en;
}
