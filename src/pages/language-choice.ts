import { html, type TemplateResult } from 'lit';
import { CHOOSABLE_LANGUAGES, withoutRegion } from '../visitor-language.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** The address of the same page in another language. */
export function inLanguage(address: string, language: string): string {
  const url = new URL(address);
  url.searchParams.set('lang', language);
  return url.href;
}

/** The list of languages, each by its own name. A choice loads the page again, with `lang` in its address. */
export function languageChoice(language: string, messages: DashboardMessages): TemplateResult {
  const current = withoutRegion(language);
  const choose = ({ currentTarget }: Event): void => {
    const chosen = (currentTarget as HTMLSelectElement).value;
    rememberLanguage(chosen);
    location.assign(inLanguage(location.href, chosen));
  };
  return html`
    <select aria-label=${messages.language} @change=${choose}>
      ${CHOOSABLE_LANGUAGES.map(
        (tag) => html`<option value=${tag} lang=${tag} ?selected=${tag === current}>${ownName(tag)}</option>`,
      )}
    </select>
  `;
}

/** The entry of the local storage, which all tabs of the dashboard share. */
const KEY = 'streamgate-language';

/** A browser that stores nothing goes on with the address. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The person chooses again next time.
  }
}

/** What was chosen in this browser. Empty: nothing. */
export function chosenLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** `Deutsch` for `de`. */
const ownName = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
