import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import type { PageChanges } from './page-changes.js';

/** What a person is asked before a change. */
export interface Question {
  readonly title: string;
  readonly effect: string;
  /** What is known besides, for example how many sessions it ends. */
  readonly details?: unknown;
  /** The word on the button that makes the change. */
  readonly action: string;
}

interface Confirming {
  readonly changes: PageChanges;
  readonly common: DashboardMessages;
  readonly onConfirm: () => void;
}

/** Asks in a dialog before a change. The focus is on the button that changes nothing. */
export function confirmation(
  { title, effect, details, action }: Question,
  { changes, common, onConfirm }: Confirming,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${title}</h2>
    <p class="soft">${effect}</p>
    ${details ?? nothing} ${changes.alert()}
    <div class="actions">
      <form method="dialog"><button autofocus>${common.cancel}</button></form>
      <button class="primary" ?disabled=${changes.isBusy} @click=${onConfirm}>${action}</button>
    </div>
  `;
}

/** The last line of a dialog that asks nothing. @param more other buttons, before the one that closes it */
export function doneButton(common: DashboardMessages, more: unknown = nothing): TemplateResult {
  return html`
    <div class="actions">
      ${more}
      <form method="dialog"><button class="primary">${common.done}</button></form>
    </div>
  `;
}

interface Form {
  readonly title: string;
  readonly fields: TemplateResult;
  /** The word on the button that sends the form. */
  readonly action: string;
}

export interface FormActions {
  readonly changes: PageChanges;
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly onCancel: () => void;
}

/** A form in a dialog. */
export function formDialog(
  { title, fields, action }: Form,
  { changes, onSubmit, onCancel }: FormActions,
  common: DashboardMessages,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${title}</h2>
    <form class="fields" @submit=${onSubmit}>
      ${fields} ${changes.alert()}
      <div class="actions">
        <button type="button" @click=${onCancel}>${common.cancel}</button>
        <button class="primary" ?disabled=${changes.isBusy}>${action}</button>
      </div>
    </form>
  `;
}
