import type { Messages } from './messages.js';

/** The registered languages. English is built in. */
interface Languages {
  readonly known: Map<string, Partial<Messages>>;
  /** Dispatches `change` when messages were registered. */
  readonly target: EventTarget;
}

// Stored on the page, not in the module: two copies of this package on a page, such as the file for script tags and a
// language from another server, share their languages.
const KEY = Symbol.for('streamgate.languages');
const page = globalThis as { [KEY]?: Languages };
export const languages: Languages = (page[KEY] ??= { known: new Map(), target: new EventTarget() });

/**
 * Adds a language to all tags of the page, or replaces messages of a language. A missing message is taken from the
 * language without its region (`pt` for `pt-BR`), or else from English.
 *
 * @param language BCP 47 tag: `de`, `pt-BR`, `zh-Hant`
 * @throws {RangeError} `language` is not a BCP 47 tag
 */
export function registerMessages(language: string, messages: Partial<Messages>): void {
  const name = new Intl.Locale(language).toString();
  languages.known.set(name, { ...languages.known.get(name), ...messages });
  languages.target.dispatchEvent(new Event('change'));
}

/** A registered language, or English, with its messages. */
export interface ResolvedLanguage {
  /** Language of the messages. */
  readonly lang: string;
  /** Locale for numbers: the requested one, with its region. */
  readonly numbers: string;
  /** Messages that replace the English ones; later ones replace earlier ones. */
  readonly layers: readonly Partial<Messages>[];
}

const ENGLISH: ResolvedLanguage = { lang: 'en', numbers: 'en', layers: [] };

/** The first of these languages that is registered, else English. */
export function resolveLanguage(wanted: readonly string[]): ResolvedLanguage {
  for (const tag of wanted) {
    const locale = parseLocale(tag);
    if (!locale) continue;
    const { language, script } = locale.maximize();
    const known = [language, `${language}-${script}`, locale.baseName].filter((name) => languages.known.has(name));
    const lang = known.at(-1) ?? (language === 'en' ? 'en' : undefined);
    if (lang === undefined) continue;
    return { lang, numbers: locale.toString(), layers: [...new Set(known)].map((name) => languages.known.get(name)!) };
  }
  return ENGLISH;
}

/** Undefined if the attribute is not a BCP 47 tag. */
function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
