import { html, type TemplateResult } from 'lit';
import type { ScheduledStreamBody } from '../../../wire/management/schedule.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { scheduledLink } from '../../address.js';
import '../../copy-field.js';
import { confirmation, doneButton } from '../dialog-contents.js';
import type { PageChanges } from '../page-changes.js';
import type { ScheduleMessages } from './messages/schedule-messages.js';
import type { PageTexts } from '../page-context.js';

export type ScheduleDialog = LinkDialog | { readonly name: 'delete'; readonly stream: ScheduledStreamBody };

export interface LinkDialog {
  readonly name: 'link';
  readonly stream: ScheduledStreamBody;
  /** The tokens that admit to the stream. */
  readonly tokens: readonly TokenBody[];
  /** Whether nobody can watch with a link without a token. */
  readonly isPrivate: boolean;
  /** The value of the token in the link. Empty: none. */
  readonly token: string;
}

interface DialogActions {
  readonly changes: PageChanges;
  /** Puts another token into the link. */
  readonly onToken: (dialog: LinkDialog, token: string) => void;
  readonly onDelete: (stream: ScheduledStreamBody) => void;
}

/** The content of the dialog of the schedule. */
export function scheduleDialog(
  dialog: ScheduleDialog,
  { changes, onToken, onDelete }: DialogActions,
  texts: PageTexts<ScheduleMessages>,
): TemplateResult {
  const { messages, common } = texts;
  const { stream } = dialog;
  switch (dialog.name) {
    case 'link':
      return html`
        <h2 id="dialog" dir="auto">${messages.linkOf(stream.title)}</h2>
        <p class="soft">${messages.linkEffect}</p>
        ${tokenChoice(dialog, (token) => onToken(dialog, token), texts)}
        <copy-field
          .messages=${common.copy}
          .label=${messages.link}
          .value=${scheduledLink(location.origin, stream.id, dialog.token)}
        ></copy-field>
        ${doneButton(common)}
      `;
    case 'delete':
      return confirmation(
        { title: messages.deleteQuestion(stream.title), effect: messages.deleteEffect, action: messages.delete },
        { changes, common, onConfirm: () => onDelete(stream) },
      );
  }
}

function tokenChoice(
  { tokens, isPrivate, token }: LinkDialog,
  onToken: (token: string) => void,
  { messages }: PageTexts<ScheduleMessages>,
): TemplateResult {
  if (tokens.length === 0) return html`<p class="soft">${messages.noTokens}</p>`;
  const choices = [
    { value: '', text: messages.noToken },
    ...tokens.map((one) => ({ value: one.token, text: `${one.id} · ${one.label}` })),
  ];
  return html`
    <div class="fields">
      <label
        >${messages.token}
        <select
          aria-describedby="token-effect"
          @change=${({ target }: Event) => onToken(choices[(target as HTMLSelectElement).selectedIndex]?.value ?? '')}
        >
          ${choices.map(({ value, text }) => html`<option .selected=${value === token}>${text}</option>`)}
        </select>
      </label>
      ${
        isPrivate && token === ''
          ? html`<p class="error" id="token-effect">${messages.tokenMissing}</p>`
          : html`<p class="soft" id="token-effect">${messages.tokenEffect}</p>`
      }
    </div>
  `;
}
