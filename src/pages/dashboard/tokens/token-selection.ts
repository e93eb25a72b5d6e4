import { html, nothing, type TemplateResult } from 'lit';
import { MAX_TOKENS_AT_ONCE, type BulkAction, type BulkResult } from '../../../wire/management/token-bulk.js';
import { confirmation } from '../dialog-contents.js';
import type { PageChanges } from '../page-changes.js';
import type { TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';

/** A change of several tokens. */
export interface SelectionChange {
  readonly action: BulkAction;
  readonly kind: TokenKind;
  readonly ids: readonly number[];
}

/** A change of several tokens that ends sessions, before it is made. */
export interface SelectionQuestion extends SelectionChange {
  readonly action: Exclude<BulkAction, 'enable'>;
  /** How many broadcasts or viewers are connected with these tokens. Undefined: not known yet, or it cannot be read. */
  readonly sessions: number | undefined;
}

interface SelectionActions {
  readonly isBusy: boolean;
  /** Selects these tokens as well, or no longer. */
  readonly onSelect: (ids: readonly number[], isSelected: boolean) => void;
  /** Selects every token that matches, up to `MAX_TOKENS_AT_ONCE`. */
  readonly onSelectMatching: () => void;
  readonly onAction: (action: BulkAction) => void;
}

/** Above a list of tokens: what is selected, and what to do with it. */
export function selectionBar(
  { ids, total, selected }: { ids: readonly number[]; total: number; selected: ReadonlySet<number> },
  { isBusy, onSelect, onSelectMatching, onAction }: SelectionActions,
  { messages, common, language }: TokenTexts,
): TemplateResult {
  const onPage = ids.filter((id) => selected.has(id)).length;
  const count = (number: number) => number.toLocaleString(language);
  const isMore = total > ids.length && selected.size < Math.min(total, MAX_TOKENS_AT_ONCE);
  const [selectMore, most] =
    total > MAX_TOKENS_AT_ONCE ? [messages.selectFirst, MAX_TOKENS_AT_ONCE] : [messages.selectMatching, total];
  return html`
    <div class="selection">
      <label class="choice">
        <input
          type="checkbox"
          .checked=${onPage === ids.length}
          .indeterminate=${onPage > 0 && onPage < ids.length}
          @change=${({ target }: Event) => onSelect(ids, (target as HTMLInputElement).checked)}
        />
        ${messages.selectPage}
      </label>
      ${
        isMore
          ? html`<button ?disabled=${isBusy} @click=${onSelectMatching}>${selectMore(count(most))}</button>`
          : nothing
      }
      ${
        selected.size > 0
          ? html`
              <div role="group" class="actions" aria-labelledby="selected">
                <span id="selected" role="status">${messages.selected(count(selected.size))}</span>
                <button ?disabled=${isBusy} @click=${() => onAction('enable')}>${messages.enable}</button>
                <button ?disabled=${isBusy} @click=${() => onAction('disable')}>${messages.disable}</button>
                <button class="danger" ?disabled=${isBusy} @click=${() => onAction('delete')}>${common.delete}</button>
                <button ?disabled=${isBusy} @click=${() => onSelect([...selected], false)}>
                  ${messages.selectNone}
                </button>
              </div>
            `
          : nothing
      }
    </div>
  `;
}

/** Asks before several tokens are changed, and says what that ends. */
export function selectionDialog(
  { action, kind, ids, sessions }: SelectionQuestion,
  { changes, onConfirm }: { changes: PageChanges; onConfirm: () => void },
  { messages, common, language }: TokenTexts,
): TemplateResult {
  const details = html`
    <p role="status">
      ${sessions === undefined ? nothing : messages.connectedNow[kind](sessions.toLocaleString(language))}
    </p>
  `;
  return confirmation(
    {
      title: messages.severalQuestion[action](ids.length.toLocaleString(language)),
      effect: messages.severalEffect[action][kind],
      details,
      action: action === 'disable' ? messages.disable : common.delete,
    },
    { changes, common, onConfirm },
  );
}

/** What the person is told after a change of several tokens. */
export function selectionResult(
  action: BulkAction,
  results: readonly BulkResult[],
  { messages, language }: TokenTexts,
): string {
  const done = results.filter((result) => result.done).length;
  const failed = results.length - done;
  const text = messages.severalDone[action](done.toLocaleString(language));
  return failed === 0 ? text : `${text} ${messages.severalFailed(failed.toLocaleString(language))}`;
}
