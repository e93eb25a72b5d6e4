/** Those that the server has beside its file for script tags. */
const LANGUAGES: ReadonlySet<string> = new Set(['ar', 'de', 'es', 'fr', 'ja', 'zh']);

/** The first of these languages that the tags can speak; English, where there is none. */
export function firstSpoken(wanted: readonly string[]): string {
  return wanted.find((tag) => primary(tag) === 'en' || LANGUAGES.has(primary(tag))) ?? 'en';
}

/**
 * What the tag of this page is to speak: as `lang` in the address says, for a frame on a page in one language, else as
 * the visitor's browser does. Its words come by themselves; nothing waits for them.
 */
export function visitorLanguage({ searchParams }: URL): string {
  const language = firstSpoken([searchParams.get('lang') ?? '', ...navigator.languages]);
  if (primary(language) !== 'en') {
    const src = `/words/${primary(language)}.js`;
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
  }
  return language;
}

const primary = (tag: string): string => tag.split('-')[0]!.toLowerCase();
