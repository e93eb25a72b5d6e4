import { html, nothing, type TemplateResult } from 'lit';
import { apiKeyScope, type ApiKeyBody, type CreateApiKey } from '../../../wire/management/api-key.js';
import type { LoginBody } from '../../../wire/management/login.js';
import { memberRole, type CreateMember, type MemberBody, type MemberRole } from '../../../wire/management/member.js';
import '../../copy-field.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import type { SecurityMessages } from './messages/security-messages.js';

const DAY = 86_400;

export type SecurityDialog =
  | { readonly name: 'value'; readonly label: string; readonly value: string; readonly effect?: string }
  | { readonly name: 'refresh-secret' }
  | { readonly name: 'delete-secret' }
  | { readonly name: 'new-key' }
  | { readonly name: 'rotate-key'; readonly key: ApiKeyBody }
  | { readonly name: 'revoke-key'; readonly key: ApiKeyBody }
  | { readonly name: 'end-login'; readonly login: LoginBody; readonly browser: string }
  | { readonly name: 'end-other-logins' }
  | { readonly name: 'new-member' }
  | { readonly name: 'change-role'; readonly member: MemberBody }
  | { readonly name: 'remove-member'; readonly member: MemberBody };

export interface DialogTexts {
  readonly messages: SecurityMessages;
  readonly common: DashboardMessages;
}

interface Question {
  readonly title: string;
  readonly effect: string;
  readonly action: string;
}

/** What the person is asked before a change that cannot be undone. */
export function questionOf(dialog: SecurityDialog, messages: SecurityMessages): Question | undefined {
  switch (dialog.name) {
    case 'refresh-secret':
      return { title: messages.refreshQuestion, effect: messages.refreshEffect, action: messages.refreshSecret };
    case 'delete-secret':
      return { title: messages.deleteQuestion, effect: messages.deleteEffect, action: messages.deleteSecret };
    case 'revoke-key':
      return {
        title: messages.revokeQuestion(dialog.key.name),
        effect: messages.revokeEffect,
        action: messages.revoke,
      };
    case 'end-login':
      return {
        title: messages.endLoginQuestion(dialog.browser),
        effect: messages.endLoginEffect,
        action: messages.endLogin,
      };
    case 'remove-member':
      return {
        title: messages.removeMemberQuestion(dialog.member.name),
        effect: messages.removeMemberEffect,
        action: messages.removeMember,
      };
    case 'end-other-logins':
      return {
        title: messages.endOtherLoginsQuestion,
        effect: messages.endLoginEffect,
        action: messages.endOtherLogins,
      };
    default:
      return undefined;
  }
}

/** A new value, to copy. No later answer of the server has it. @param effect what the person must know of it */
export function valueDialog(
  { label, value, effect }: { label: string; value: string; effect?: string },
  texts: DialogTexts,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${label}</h2>
    <p>${effect ?? texts.messages.shownOnce}</p>
    <copy-field .messages=${texts.common.copy} .label=${label} .value=${value}></copy-field>
    <div class="actions">
      <form method="dialog"><button class="primary">${texts.common.done}</button></form>
    </div>
  `;
}

/** The fields of a new key. */
export function newKeyFields({ messages }: DialogTexts): TemplateResult {
  const days = (count: number) => html`<option value=${count * DAY}>${messages.days(count)}</option>`;
  return html`
    <label
      >${messages.name}
      <input name="name" required maxlength="128" autocomplete="off" dir="auto" autofocus />
    </label>
    <fieldset>
      <legend>${messages.scopes}</legend>
      ${apiKeyScope.options.map(
        (scope) => html`
          <label class="choice"
            ><input type="checkbox" name="scopes" value=${scope} /> <span>${messages.scope[scope]}</span></label
          >
        `,
      )}
    </fieldset>
    <label
      >${messages.expiry}
      <select name="expires">
        <option value="">${messages.never}</option>
        ${days(30)}${days(90)}
        <option value=${365 * DAY}>${messages.oneYear}</option>
      </select>
    </label>
  `;
}

/** The fields of `newKeyFields`. */
export function newKeyOf(form: FormData): CreateApiKey {
  const expires = Number(form.get('expires'));
  return {
    name: String(form.get('name')).trim(),
    scopes: form.getAll('scopes').map((scope) => apiKeyScope.parse(scope)),
    expires: expires || null,
  };
}

/** The fields of a new member. */
export function newMemberFields(texts: DialogTexts): TemplateResult {
  return html`
    <label
      >${texts.messages.memberName}
      <input name="name" required maxlength="128" autocomplete="off" dir="auto" autofocus />
    </label>
    ${roleFields('manager', texts)}
  `;
}

/** The fields of `newMemberFields`. */
export function newMemberOf(form: FormData): CreateMember {
  return { name: String(form.get('name')).trim(), role: roleOf(form) };
}

/** A choice of the role. @param chosen the role at first */
export function roleFields(chosen: string, { messages }: DialogTexts): TemplateResult {
  return html`
    <fieldset>
      <legend>${messages.role}</legend>
      ${memberRole.options.map(
        (role) => html`
          <label class="choice"
            ><input type="radio" name="role" value=${role} ?checked=${role === chosen} />
            <span>${messages.roles[role]}</span></label
          >
        `,
      )}
    </fieldset>
  `;
}

/** The role of `roleFields`. */
export function roleOf(form: FormData): MemberRole {
  return memberRole.parse(form.get('role'));
}

/** The field of a rotation: for how many seconds the old value stays valid. */
export function rotationFields({ messages }: DialogTexts): TemplateResult {
  return html`
    <p class="soft">${messages.rotateEffect}</p>
    <label
      >${messages.oldValueWorks}
      <select name="oldValueExpires">
        <option value=${DAY} selected>${messages.oneDay}</option>
        <option value="3600">${messages.oneHour}</option>
        <option value=${7 * DAY}>${messages.oneWeek}</option>
        <option value="0">${messages.notAtAll}</option>
      </select>
    </label>
  `;
}

/** A form in a dialog. @param fault why the server refused it, or empty */
export function formDialog(
  { title, fields, action }: { title: string; fields: TemplateResult; action: string },
  state: { fault: string; isBusy: boolean; onSubmit: (event: SubmitEvent) => void; onCancel: () => void },
  { common }: DialogTexts,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${title}</h2>
    <form class="fields" @submit=${state.onSubmit}>
      ${fields} ${state.fault ? html`<p class="error" role="alert">${state.fault}</p>` : nothing}
      <div class="actions">
        <button type="button" @click=${state.onCancel}>${common.cancel}</button>
        <button class="primary" ?disabled=${state.isBusy}>${action}</button>
      </div>
    </form>
  `;
}
