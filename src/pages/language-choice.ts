import { html, type TemplateResult } from 'lit';
import { CHOOSABLE_LANGUAGES, withoutRegion } from './visitor-language.js';

/**
 * The list of languages, each by its own name.
 *
 * @param onChoose shows the page in this language, and does not load it again: what somebody has typed stays. Resolves
 * with whether that worked
 */
export function languageChoice(
  language: string,
  label: string,
  onChoose: (language: string) => Promise<boolean>,
): TemplateResult {
  const current = withoutRegion(language);
  const choose = async ({ currentTarget }: Event): Promise<void> => {
    const list = currentTarget as HTMLSelectElement;
    // The texts could not be loaded: the list names the language that is still spoken.
    if (!(await onChoose(list.value))) list.value = current;
  };
  return html`
    <select class="language" aria-label=${label} @change=${choose}>
      ${CHOOSABLE_LANGUAGES.map(
        (tag) => html`<option value=${tag} lang=${tag} ?selected=${tag === current}>${ownName(tag)}</option>`,
      )}
    </select>
  `;
}

/** `Deutsch` for `de`. */
const ownName = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
