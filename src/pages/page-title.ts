import { languages, resolveLanguage } from '../elements/i18n/languages.js';

/** `Live · keynote · ACME`: what changes comes first, where a narrow tab shows it. */
export const pageTitle = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ');

/** The texts of a tag in a language, as far as they have loaded. */
export const tagMessages = <Own extends object>(english: Own, language: string): Own =>
  Object.assign({}, english, ...resolveLanguage([language]).layers);

/** Calls back when texts of the tags have loaded. */
export const onTagMessages = (listener: () => void): void => languages.target.addEventListener('change', listener);
