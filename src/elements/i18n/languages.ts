import type { Messages } from './messages.js';

/** What the page knows beside English. */
interface Languages {
  readonly known: Map<string, Partial<Messages>>;
  /** Says `change` when a language came. */
  readonly target: EventTarget;
}

// On the page, not in the module: two copies of this package, such as a file for script tags and a language from
// elsewhere, are to understand each other.
const KEY = Symbol.for('streamgate.languages');
const page = globalThis as { [KEY]?: Languages };
export const languages: Languages = (page[KEY] ??= { known: new Map(), target: new EventTarget() });

/**
 * Teaches the tags of this page a language, or other words in one it knows: the newer ones hold. What is left out is
 * said in the language without its region (`pt` for `pt-BR`), else in English.
 *
 * @param language BCP 47: `de`, `pt-BR`, `zh-Hant`
 * @throws {RangeError} it is no language
 */
export function registerMessages(language: string, messages: Partial<Messages>): void {
  const name = new Intl.Locale(language).toString();
  languages.known.set(name, { ...languages.known.get(name), ...messages });
  languages.target.dispatchEvent(new Event('change'));
}

/** Words to lay over the English ones, the later over the earlier, and the language they are in. */
export interface ResolvedLanguage {
  /** Of the words. */
  readonly lang: string;
  /** For numbers: as the reader asked for it, if the words are in that language. */
  readonly numbers: string;
  readonly layers: readonly Partial<Messages>[];
}

const ENGLISH: ResolvedLanguage = { lang: 'en', numbers: 'en', layers: [] };

/** The first of these languages that the page knows. English always is known. */
export function resolveLanguage(wanted: readonly string[]): ResolvedLanguage {
  for (const tag of wanted) {
    const locale = parsed(tag);
    if (!locale) continue;
    const { language, script } = locale.maximize();
    const known = [language, `${language}-${script}`, locale.baseName].filter((name) => languages.known.has(name));
    const lang = known.at(-1) ?? (language === 'en' ? 'en' : undefined);
    if (lang === undefined) continue;
    return { lang, numbers: locale.toString(), layers: [...new Set(known)].map((name) => languages.known.get(name)!) };
  }
  return ENGLISH;
}

/** Attributes hold anything. */
function parsed(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
