import { html, nothing, type TemplateResult } from 'lit';
import type { ApiKeyBody } from '../../../wire/management/api-key.js';
import { dateTimeText } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import { keyStatus } from './key-status.js';
import type { SecurityDialog } from './security-dialogs.js';
import type { KeyPage } from './security-state.js';
import { lastUseText, type SecurityTexts } from './security-texts.js';

interface KeyActions {
  readonly onOpen: (dialog: SecurityDialog) => void;
  readonly onTurn: (page: number) => void;
}

/** The API keys: what each may do, and until when. */
export function keysCard(page: KeyPage, { onOpen, onTurn }: KeyActions, texts: SecurityTexts): TemplateResult {
  const { messages, common, language } = texts;
  return html`
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">${messages.keys}</h2>
      <p class="soft">${messages.keysPurpose}</p>
      ${
        page.keys.length === 0
          ? html`<p class="soft">${messages.noKeys}</p>`
          : html`<ul>
              ${page.keys.map((key) => row(key, onOpen, texts))}
            </ul>`
      }
      ${pageButtons(page, { messages: common, language }, onTurn)}
      <div class="actions">
        <button @click=${() => onOpen({ name: 'new-key' })}>${messages.newKey}</button>
      </div>
    </section>
  `;
}

function row(key: ApiKeyBody, onOpen: KeyActions['onOpen'], texts: SecurityTexts): TemplateResult {
  const { messages, language } = texts;
  const status = keyStatus(key, Date.now());
  const known: Readonly<Record<string, string>> = messages.scope;
  return html`
    <li>
      <div>
        <h3><bdi>${key.name || key.id}</bdi></h3>
        <p class="facts soft">
          <span class=${status === 'active' ? 'is-on' : 'is-off'}>${messages[status]}</span>
          <code dir="ltr">${key.id}</code>
          <span>${messages.created(dateTimeText(key.createdOn, language))}</span>
          <span
            >${key.expiresOn ? messages.expires(dateTimeText(key.expiresOn, language)) : messages.neverExpires}</span
          >
          <span>${lastUseText(key, texts)}</span>
          ${
            key.oldValueExpiresOn && status === 'active'
              ? html`<span>${messages.oldValueUntil(dateTimeText(key.oldValueExpiresOn, language))}</span>`
              : nothing
          }
        </p>
        <ul class="scopes soft">
          ${key.scopes.map((scope) => html`<li>${known[scope] ?? scope}</li>`)}
        </ul>
      </div>
      ${status === 'revoked' ? nothing : buttons(key, status === 'active', onOpen, texts)}
    </li>
  `;
}

function buttons(
  key: ApiKeyBody,
  isActive: boolean,
  onOpen: KeyActions['onOpen'],
  { messages }: SecurityTexts,
): TemplateResult {
  return html`
    <div class="actions">
      ${
        isActive
          ? html`<button
              aria-label=${messages.rotateThis(key.name)}
              @click=${() => onOpen({ name: 'rotate-key', key })}
            >
              ${messages.rotate}
            </button>`
          : nothing
      }
      <button
        class="danger"
        aria-label=${messages.revokeThis(key.name)}
        @click=${() => onOpen({ name: 'revoke-key', key })}
      >
        ${messages.revoke}
      </button>
    </div>
  `;
}
