import { chosenLanguage } from './chosen-language.js';

/** The languages that the server serves in `/i18n`. */
const LANGUAGES: ReadonlySet<string> = new Set(['ar', 'de', 'es', 'fr', 'ja', 'zh']);
/** The languages of the tags and of the hosted pages. */
export const CHOOSABLE_LANGUAGES: readonly string[] = ['en', ...LANGUAGES];
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar']);

/** The first of these languages that the tags have. English if there is none. */
export function firstSupported(wanted: readonly string[]): string {
  return wanted.find((tag) => withoutRegion(tag) === 'en' || LANGUAGES.has(withoutRegion(tag))) ?? 'en';
}

/** The language of the page: `lang` in its URL, or else what the person chose before, or else that of the browser. */
export const visitorLanguage = ({ searchParams }: URL): string =>
  firstSupported([searchParams.get('lang') ?? '', chosenLanguage(), ...navigator.languages]);

/** Starts to load a language for the tag, which renders again when the language is registered. */
export function loadTagMessages(language: string): void {
  if (withoutRegion(language) === 'en') return;
  const src = `/i18n/${withoutRegion(language)}.js`;
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
}

/** Sets the language and the direction of the page. */
export function setPageLanguage(language: string): void {
  const dir = RIGHT_TO_LEFT.has(withoutRegion(language)) ? 'rtl' : 'ltr';
  Object.assign(document.documentElement, { lang: language, dir });
}

/** `de` for `de-AT`. */
export const withoutRegion = (language: string): string => language.split('-')[0]!.toLowerCase();
