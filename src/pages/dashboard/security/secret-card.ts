import { html, nothing, type TemplateResult } from 'lit';
import type { ApiSecretState } from '../../../wire/management/api-secret.js';
import { dateTimeText } from '../formatting.js';
import type { SecurityDialog } from './security-dialogs.js';
import { lastUseText, type SecurityTexts } from './security-texts.js';

interface SecretActions {
  readonly isBusy: boolean;
  readonly onOpen: (dialog: SecurityDialog) => void;
  readonly onCreate: () => void;
}

/** The API secret of the account, of which only the id can be shown again. */
export function secretCard(secret: ApiSecretState, actions: SecretActions, texts: SecurityTexts): TemplateResult {
  const { messages } = texts;
  return html`
    <section class="card" aria-labelledby="secret">
      <h2 id="secret">${messages.secret}</h2>
      <p class="soft">${messages.secretPurpose}</p>
      ${secret.exists ? present(secret, actions, texts) : absent(actions, texts)}
    </section>
  `;
}

function present(secret: ApiSecretState, { onOpen }: SecretActions, texts: SecurityTexts): TemplateResult {
  const { messages, language } = texts;
  const { id, createdOn } = secret;
  return html`
    <p class="facts">
      <code dir="ltr">${id}</code>
      <span class="soft">${createdOn ? messages.created(dateTimeText(createdOn, language)) : nothing}</span>
      <span class="soft">${lastUseText(secret, texts)}</span>
    </p>
    <div class="actions">
      <button @click=${() => onOpen({ name: 'refresh-secret' })}>${messages.refreshSecret}</button>
      <button class="danger" @click=${() => onOpen({ name: 'delete-secret' })}>${messages.deleteSecret}</button>
    </div>
  `;
}

function absent({ isBusy, onCreate }: SecretActions, { messages }: SecurityTexts): TemplateResult {
  return html`
    <p>${messages.noSecret}</p>
    <div class="actions">
      <button class="primary" ?disabled=${isBusy} @click=${onCreate}>${messages.createSecret}</button>
    </div>
  `;
}
