import { html, nothing, type TemplateResult } from 'lit';
import type { TokenBody } from '../../../wire/management/token.js';
import { dateTimeText } from '../formatting.js';
import { stateOf } from '../home/token-view.js';
import type { TokenQuestion } from './question-dialog.js';
import { nameOf, tokenFacts, type TokenTexts } from './token-facts.js';

interface TokenRow {
  readonly token: TokenBody;
  readonly isSelected: boolean;
  /** Whether the person has opened the details. They are not rendered before, because they are most of the list. */
  readonly isOpen: boolean;
  readonly isBusy: boolean;
}

interface TokenRowActions {
  readonly onSelect: (isSelected: boolean) => void;
  readonly onToggle: (isOpen: boolean) => void;
  readonly onUse: () => void;
  readonly onEdit: () => void;
  readonly onTrial: () => void;
  readonly onEnable: () => void;
  /** Asks before the change. */
  readonly onChange: (change: TokenQuestion['change']) => void;
}

/** One token in the list. */
export function tokenRow(row: TokenRow, actions: TokenRowActions, texts: TokenTexts): TemplateResult {
  const { token, isSelected } = row;
  const { messages, common } = texts;
  const name = nameOf(token, common);
  return html`
    <li class="selectable">
      <input
        type="checkbox"
        aria-label=${messages.selectThis(name)}
        .checked=${isSelected}
        @change=${({ target }: Event) => actions.onSelect((target as HTMLInputElement).checked)}
      />
      <div>
        <h2 class="entry"><bdi>${name}</bdi></h2>
        ${facts(token, texts)}
      </div>
      ${token.fault ? html`<div class="actions">${deleteButton(name, actions, texts)}</div>` : use(row, actions, texts)}
    </li>
  `;
}

function use({ token, isOpen, isBusy }: TokenRow, actions: TokenRowActions, texts: TokenTexts): TemplateResult {
  const { messages, common } = texts;
  const name = nameOf(token, common);
  return html`
    <div class="actions">
      <button ?disabled=${isBusy} aria-label=${messages.useOf(name)} @click=${actions.onUse}>${messages.use}</button>
      <button ?disabled=${isBusy} aria-label=${messages.editThis(name)} @click=${actions.onEdit}>
        ${messages.edit}
      </button>
    </div>
    <details .open=${isOpen} @toggle=${({ target }: Event) => actions.onToggle((target as HTMLDetailsElement).open)}>
      <summary aria-label=${messages.detailsOf(name)}>${messages.details}</summary>
      ${isOpen ? details({ token, isBusy }, actions, texts) : nothing}
    </details>
  `;
}

function deleteButton(name: string, { onChange }: TokenRowActions, { common }: TokenTexts): TemplateResult {
  return html`<button class="danger" aria-label=${common.deleteToken(name)} @click=${() => onChange('delete')}>
    ${common.delete}
  </button>`;
}

function facts(token: TokenBody, { messages, common, language }: TokenTexts): TemplateResult {
  const status = stateOf(token, Date.now());
  const { label, streams, expiresOn, fault } = token;
  if (fault) return html`<p class="facts soft"><span class="is-off">${common.unreadable}</span></p>`;
  return html`
    <p class="facts soft">
      <span class=${status === 'active' ? 'is-on' : 'is-off'}>${common[status]}</span>
      ${label ? streams.slice(0, 3).map(({ streamName }) => html`<bdi>${streamName}</bdi>`) : nothing}
      ${label && streams.length > 3 ? html`<bdi>+${streams.length - 3}</bdi>` : nothing}
      ${token.subscribeRequiresAuth ? html`<span>${common.needsToken}</span>` : nothing}
      ${token.record ? html`<span>${messages.recorded}</span>` : nothing}
      <span>${expiresOn ? common.expires(dateTimeText(expiresOn, language)) : common.neverExpires}</span>
    </p>
  `;
}

function details(
  { token, isBusy }: Pick<TokenRow, 'token' | 'isBusy'>,
  actions: TokenRowActions,
  texts: TokenTexts,
): TemplateResult {
  const { messages, common } = texts;
  const name = nameOf(token, common);
  return html`
    <dl>
      ${tokenFacts(token, texts).map(
        ({ name, values, isCode }) => html`
          <div>
            <dt>${name}</dt>
            ${values.map((value) => html`<dd><bdi dir=${isCode ? 'ltr' : 'auto'}>${value}</bdi></dd>`)}
          </div>
        `,
      )}
    </dl>
    <div class="actions">
      <button aria-label=${messages.trialThis(name)} @click=${actions.onTrial}>${messages.trial}</button>
      ${
        token.isActive
          ? html`<button aria-label=${messages.disableThis(name)} @click=${() => actions.onChange('disable')}>
              ${messages.disable}
            </button>`
          : html`<button ?disabled=${isBusy} aria-label=${messages.enableThis(name)} @click=${actions.onEnable}>
              ${messages.enable}
            </button>`
      }
      <button aria-label=${messages.refreshThis(name)} @click=${() => actions.onChange('refresh')}>
        ${messages.refresh}
      </button>
      ${deleteButton(name, actions, texts)}
    </div>
  `;
}
