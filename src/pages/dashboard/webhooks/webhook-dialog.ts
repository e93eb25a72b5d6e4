import { html, nothing, type TemplateResult } from 'lit';
import type { WebhookBody } from '../../../wire/management/webhook.js';
import { webhookEventType, type WebhookEventType } from '../../../wire/webhook-event.js';
import '../../copy-field.js';
import { confirmation, doneButton, formDialog } from '../dialog-contents.js';
import { dateTimeText } from '../formatting.js';
import type { PageChanges } from '../page-changes.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import type { PageTexts } from '../page-context.js';
import { unreadablePart, unreadableSentences, webhookName } from './unreadable-webhook.js';
import type { WebhookDraft } from './webhooks-state.js';

export type WebhookDialog = EditDialog | { readonly name: 'key' | 'remove'; readonly webhook: WebhookBody };

export interface EditDialog {
  readonly name: 'edit';
  readonly draft: WebhookDraft;
  /** Whether the person has tried to save: an empty form has no faults before. */
  readonly isChecked: boolean;
}

interface DialogActions {
  readonly changes: PageChanges;
  readonly onEdit: (dialog: EditDialog, draft: WebhookDraft) => void;
  readonly onSave: (dialog: EditDialog) => void;
  readonly onRotate: (webhook: WebhookBody) => void;
  readonly onRemove: (webhook: WebhookBody) => void;
  readonly onCancel: () => void;
}

/** The content of the dialog of the webhooks. */
export function webhookDialog(
  dialog: WebhookDialog,
  actions: DialogActions,
  texts: PageTexts<WebhooksMessages>,
): TemplateResult {
  const { messages, common } = texts;
  switch (dialog.name) {
    case 'edit':
      return editForm(dialog, actions, texts);
    case 'key':
      return unreadablePart(dialog.webhook)
        ? confirmation(
            {
              title: messages.actionOf(messages.rotate, webhookName(dialog.webhook)),
              effect: unreadableSentences(dialog.webhook, messages).join(' '),
              action: messages.rotate,
            },
            { changes: actions.changes, common, onConfirm: () => actions.onRotate(dialog.webhook) },
          )
        : keyView(dialog.webhook, actions, texts);
    case 'remove':
      return confirmation(
        {
          title: messages.actionOf(messages.remove, webhookName(dialog.webhook)),
          effect: messages.removeEffect,
          action: messages.remove,
        },
        { changes: actions.changes, common, onConfirm: () => actions.onRemove(dialog.webhook) },
      );
  }
}

/** Whether the address of a draft can be one of a receiver. The server decides. */
export function hasUrl({ url }: WebhookDraft): boolean {
  return URL.canParse(url.trim()) && /^https?:/i.test(url.trim());
}

function editForm(
  dialog: EditDialog,
  actions: DialogActions,
  { messages, common }: PageTexts<WebhooksMessages>,
): TemplateResult {
  const { draft, isChecked } = dialog;
  const isWrong = isChecked && !hasUrl(draft);
  const set = (change: Partial<WebhookDraft>): void => actions.onEdit(dialog, { ...draft, ...change });
  const fields = html`
    <div class="field">
      <label
        >${messages.url}
        <input
          name="url"
          type="url"
          dir="ltr"
          maxlength="2048"
          autocomplete="off"
          placeholder="https://example.com/hooks"
          .value=${draft.url}
          aria-invalid=${isWrong ? 'true' : 'false'}
          aria-describedby="fault-url"
          @input=${(event: Event) => set({ url: valueOf(event) })}
        />
      </label>
      <p class="error" id="fault-url" aria-live="polite">
        ${isWrong ? html`<span>${messages.urlMissing}</span>` : nothing}
      </p>
    </div>
    <div class="field">
      <label
        >${messages.description}
        <input
          name="description"
          dir="auto"
          maxlength="128"
          autocomplete="off"
          .value=${draft.description}
          @input=${(event: Event) => set({ description: valueOf(event) })}
        />
      </label>
    </div>
    <fieldset>
      <legend>${messages.events}</legend>
      ${webhookEventType.options.map(
        (type) =>
          html`<label class="choice"
            ><input
              type="checkbox"
              .checked=${draft.events.includes(type)}
              @change=${() => set({ events: toggled(draft.events, type) })}
            />${messages.eventNames[type]}</label
          >`,
      )}
    </fieldset>
  `;
  const isNew = draft.id === undefined;
  return formDialog(
    { title: isNew ? messages.newWebhook : messages.edit, fields, action: isNew ? messages.create : messages.save },
    {
      changes: actions.changes,
      onSubmit: (event) => {
        event.preventDefault();
        actions.onSave(dialog);
      },
      onCancel: actions.onCancel,
    },
    common,
  );
}

function keyView(
  webhook: WebhookBody,
  { changes, onRotate }: DialogActions,
  { messages, common, language }: PageTexts<WebhooksMessages>,
): TemplateResult {
  const { url, signingKey, oldKeyExpiresOn } = webhook;
  const isOldValid = oldKeyExpiresOn !== null && Date.parse(oldKeyExpiresOn) > Date.now();
  return html`
    <h2 id="dialog" dir="auto">${messages.actionOf(messages.key, url)}</h2>
    <p class="soft">${messages.keyEffect}</p>
    <copy-field .messages=${common.copy} .label=${messages.key} .value=${signingKey}></copy-field>
    <p class="soft">
      ${isOldValid ? messages.oldKeyUntil(dateTimeText(oldKeyExpiresOn, language)) : messages.rotateEffect}
    </p>
    ${changes.alert()}
    ${doneButton(
      common,
      html`<button ?disabled=${changes.isBusy} @click=${() => onRotate(webhook)}>${messages.rotate}</button>`,
    )}
  `;
}

function toggled(events: readonly WebhookEventType[], type: WebhookEventType): readonly WebhookEventType[] {
  return events.includes(type) ? events.filter((one) => one !== type) : [...events, type];
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}
