import { html, type TemplateResult } from 'lit';
import type { TokenTexts } from './token-facts.js';
import { tokenSorts, tokenStates, type TokenFilter, type TokenSort } from './tokens-state.js';

/** Above the list of tokens: a search, and which of them are shown in which order. */
export function tokenFilters(
  filter: TokenFilter,
  onSelect: (filter: TokenFilter) => void,
  { messages, common }: TokenTexts,
): TemplateResult {
  const chosen = ({ target }: Event): string => (target as HTMLSelectElement).value;
  return html`
    <form class="card filters" role="search" @submit=${(event: SubmitEvent) => event.preventDefault()}>
      <label
        >${messages.search}
        <input
          name="search"
          type="search"
          .value=${filter.search}
          maxlength="128"
          autocomplete="off"
          spellcheck="false"
          dir="auto"
          aria-describedby="search-hint"
          @input=${({ target }: Event) => onSelect({ ...filter, search: (target as HTMLInputElement).value })}
        />
      </label>
      <label
        >${messages.state}
        <select
          name="state"
          @change=${(event: Event) =>
            onSelect({ ...filter, state: tokenStates.find((state) => state === chosen(event)) })}
        >
          <option value="" .selected=${filter.state === undefined}>${messages.anyState}</option>
          ${tokenStates.map(
            (state) => html`<option value=${state} .selected=${state === filter.state}>${common[state]}</option>`,
          )}
        </select>
      </label>
      <label
        >${messages.sort}
        <select name="sort" @change=${(event: Event) => onSelect({ ...filter, sort: chosen(event) as TokenSort })}>
          ${tokenSorts.map(
            (sort) => html`<option value=${sort} .selected=${sort === filter.sort}>${messages.sorts[sort]}</option>`,
          )}
        </select>
      </label>
      <p class="soft hint" id="search-hint">${messages.searchHint}</p>
    </form>
  `;
}
