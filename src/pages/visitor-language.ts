/** Those that the server has beside its file for script tags. */
const LANGUAGES: ReadonlySet<string> = new Set(['ar', 'de', 'es', 'fr', 'ja', 'zh']);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar']);

/** The first of these languages that the tags can speak; English, where there is none. */
export function firstSpoken(wanted: readonly string[]): string {
  return wanted.find((tag) => withoutRegion(tag) === 'en' || LANGUAGES.has(withoutRegion(tag))) ?? 'en';
}

/** What a page is to speak: as `lang` in its address says, for a frame on a page in one language, else as the browser does. */
export const visitorLanguage = ({ searchParams }: URL): string =>
  firstSpoken([searchParams.get('lang') ?? '', ...navigator.languages]);

/** Has the tag of this page learn a language. Its words come by themselves; nothing waits for them. */
export function teachTag(language: string): void {
  if (withoutRegion(language) === 'en') return;
  const src = `/i18n/${withoutRegion(language)}.js`;
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
}

/** What the page itself says is in this language from now on. */
export function speakAs(language: string): void {
  const dir = RIGHT_TO_LEFT.has(withoutRegion(language)) ? 'rtl' : 'ltr';
  Object.assign(document.documentElement, { lang: language, dir });
}

/** `de` for `de-AT`. */
export const withoutRegion = (language: string): string => language.split('-')[0]!.toLowerCase();
