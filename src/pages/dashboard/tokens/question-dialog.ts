import { html, nothing, type TemplateResult } from 'lit';
import type { TokenBody } from '../../../wire/management/token.js';
import { confirmation } from '../dialog-contents.js';
import type { PageChanges } from '../page-changes.js';
import { nameOf, type TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';

/** A change that ends sessions, before it is made. */
export interface TokenQuestion {
  readonly change: 'disable' | 'refresh' | 'delete';
  readonly kind: TokenKind;
  readonly token: TokenBody;
  /** The streams that are live with the token, as far as they are known. */
  readonly live: readonly string[];
  /** How many viewers are connected with the token. Undefined: not known yet, or it cannot be read. */
  readonly viewers?: number | undefined;
}

/** Asks before a change, and says what it will end. */
export function questionDialog(
  { change, kind, token, live, viewers }: TokenQuestion,
  { changes, onConfirm }: { changes: PageChanges; onConfirm: () => void },
  { messages, common, language }: TokenTexts,
): TemplateResult {
  const name = nameOf(token, common);
  const { title, effect, action } = {
    disable: { title: messages.disableQuestion(name), effect: messages.disableEffect, action: messages.disable },
    refresh: { title: messages.refreshQuestion(name), effect: messages.refreshEffect, action: messages.refresh },
    delete: { title: common.deleteQuestion(name), effect: messages.deleteEffect, action: common.delete },
  }[change];
  const details = html`
    ${live.length > 0 ? html`<p role="status">${messages.liveNow(live.join(', '))}</p>` : nothing}
    ${
      viewers
        ? html`<p role="status">${messages.connectedNow.subscribe(viewers.toLocaleString(language))}</p>`
        : nothing
    }
  `;
  return confirmation({ title, effect: effect[kind], details, action }, { changes, common, onConfirm });
}
