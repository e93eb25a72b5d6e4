import { withoutRegion } from '../../../visitor-language.js';
import { en } from './en.js';
import type { WebhooksMessages } from './webhooks-messages.js';

const TRANSLATIONS: Readonly<Record<string, () => Promise<WebhooksMessages>>> = {
  ar: async () => (await import('./ar.js')).ar,
  de: async () => (await import('./de.js')).de,
  es: async () => (await import('./es.js')).es,
  fr: async () => (await import('./fr.js')).fr,
  ja: async () => (await import('./ja.js')).ja,
  zh: async () => (await import('./zh.js')).zh,
};

/** The texts in this language, or else in English. @param language BCP 47 tag */
export async function webhooksMessages(language: string): Promise<WebhooksMessages> {
  const translation = TRANSLATIONS[withoutRegion(language)];
  return translation ? await translation() : en;
}
