import { withoutRegion } from './visitor-language.js';

/** The languages beside English, each loaded when it is wanted. */
type Translations<Messages> = Readonly<Record<'ar' | 'de' | 'es' | 'fr' | 'ja' | 'zh', () => Promise<Messages>>>;

/**
 * Loads the texts of a page in a language, or else in English.
 * @returns a function of a BCP 47 tag
 */
export function translated<Messages>(
  en: Messages,
  translations: Translations<Messages>,
): (language: string) => Promise<Messages> {
  return async (language) => {
    const tag = withoutRegion(language);
    return isTranslated(tag, translations) ? await translations[tag]() : en;
  };
}

const isTranslated = <Tag extends string>(tag: string, translations: Readonly<Record<Tag, unknown>>): tag is Tag =>
  Object.hasOwn(translations, tag);
