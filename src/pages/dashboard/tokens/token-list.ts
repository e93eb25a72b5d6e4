import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { pageButtons } from '../page-buttons.js';
import type { TokenActions } from './token-actions.js';
import type { TokenTexts } from './token-facts.js';
import { tokenRow } from './token-row.js';
import { selectionBar } from './token-selection.js';
import type { TokenPage } from './tokens-state.js';

/** What the person has marked in the list, by the ids of the tokens. */
export interface TokenMarks {
  /** On this page of the list and on others. */
  readonly selected: ReadonlySet<number>;
  /** The details of these are open. */
  readonly opened: ReadonlySet<number>;
}

interface ListOptions extends TokenMarks {
  readonly actions: TokenActions;
  readonly texts: TokenTexts;
  readonly isBusy: boolean;
  readonly onSelect: (ids: readonly number[], isSelected: boolean) => void;
  readonly onSelectMatching: () => void;
  readonly onToggle: (id: number, isOpen: boolean) => void;
  readonly onEdit: (id: number) => void;
  readonly onTurn: (page: number) => void;
  readonly csvButton: TemplateResult;
}

/** A page of the list of tokens. */
export function tokenList(page: TokenPage, options: ListOptions): TemplateResult {
  const { texts, csvButton, onTurn } = options;
  const { messages, common, language } = texts;
  const { kind, search, state } = page.filter;
  const isEmpty = page.tokens.length === 0;
  return html`
    <section class="card" aria-label=${messages.kinds[kind]}>
      ${
        isEmpty
          ? html`<p class="soft">${search.trim() || state ? messages.noneFound : messages.none[kind]}</p>`
          : rows(page, options)
      }
      ${pageButtons(
        page,
        { messages: common, language, labels: { before: messages.previous, after: messages.next } },
        onTurn,
      )}
      ${isEmpty ? '' : html`<div class="actions">${csvButton}</div>`}
    </section>
  `;
}

function rows({ tokens, total, filter: { kind } }: TokenPage, options: ListOptions): TemplateResult {
  const { selected, opened, isBusy, actions, texts, onSelect, onSelectMatching, onToggle, onEdit } = options;
  return html`
    ${selectionBar(
      { ids: tokens.map(({ id }) => id), total, selected },
      {
        isBusy,
        onSelect,
        onSelectMatching,
        onAction: (action) => void actions.askSelected({ action, kind, ids: [...selected] }),
      },
      texts,
    )}
    <ul>
      ${repeat(
        tokens,
        ({ id }) => `${kind} ${id}`,
        (token) =>
          tokenRow(
            { token, isSelected: selected.has(token.id), isOpen: opened.has(token.id), isBusy },
            {
              onSelect: (isSelected) => onSelect([token.id], isSelected),
              onToggle: (isOpen) => onToggle(token.id, isOpen),
              onUse: () => actions.use(token, kind),
              onEdit: () => onEdit(token.id),
              onTrial: () => actions.trial(token, kind),
              onEnable: () => actions.enable(token, kind),
              onChange: (change) => void actions.ask({ change, token, kind, live: [] }),
            },
            texts,
          ),
      )}
    </ul>
  `;
}

/** These ids as well, or no longer. @param most how many there may be */
export function withMarked(
  marked: ReadonlySet<number>,
  ids: readonly number[],
  isMarked: boolean,
  most = Number.POSITIVE_INFINITY,
): ReadonlySet<number> {
  const next = new Set(marked);
  for (const id of ids) {
    if (!isMarked) next.delete(id);
    else if (next.size < most) next.add(id);
  }
  return next;
}
