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
  const choose = ({ currentTarget }: Event): void =>
    location.assign(inLanguage(location.href, (currentTarget as HTMLSelectElement).value));
  return html`
    <select aria-label=${messages.language} @change=${choose}>
      ${CHOOSABLE_LANGUAGES.map(
        (tag) => html`<option value=${tag} lang=${tag} ?selected=${tag === current}>${ownName(tag)}</option>`,
      )}
    </select>
  `;
}

/** `Deutsch` for `de`. */
const ownName = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
