import { html, type TemplateResult } from 'lit';
import { apiKeyScope, type ApiKeyBody, type CreateApiKey } from '../../../wire/management/api-key.js';
import type { LoginBody } from '../../../wire/management/login.js';
import { memberRole, type CreateMember, type MemberBody, type MemberRole } from '../../../wire/management/member.js';
import '../../copy-field.js';
import { doneButton, formDialog, type FormActions, type Question } from '../dialog-contents.js';
import type { SecurityMessages } from './messages/security-messages.js';
import type { SecurityTexts } from './security-texts.js';

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

/** The content of the dialog of the page of security. */
export function securityDialog(dialog: SecurityDialog, actions: FormActions, texts: SecurityTexts): TemplateResult {
  const { messages } = texts;
  const form = (title: string, fields: TemplateResult, action: string) =>
    formDialog({ title, fields, action }, actions, texts.common);
  switch (dialog.name) {
    case 'value':
      return valueDialog(dialog, texts);
    case 'new-key':
      return form(messages.newKey, newKeyFields(texts), messages.createKey);
    case 'new-member':
      return form(messages.inviteMember, newMemberFields(texts), messages.inviteMember);
    case 'change-role':
      return form(
        messages.changeRoleOf(dialog.member.name),
        roleFields(dialog.member.role, texts),
        messages.changeRole,
      );
    case 'rotate-key':
      return form(messages.rotateThis(dialog.key.name), rotationFields(texts), messages.rotate);
    default: {
      const { title, effect, action } = questionOf(dialog, messages);
      return form(title, html`<p class="soft">${effect}</p>`, action);
    }
  }
}

/** What cannot be undone. */
type Irreversible = Exclude<
  SecurityDialog,
  { readonly name: 'value' | 'new-key' | 'new-member' | 'change-role' | 'rotate-key' }
>;

/** What the person is asked before a change that cannot be undone. */
function questionOf(dialog: Irreversible, messages: SecurityMessages): Question {
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
  }
}

/** A new value, to copy. No later answer of the server has it. @param effect what the person must know of it */
function valueDialog(
  { label, value, effect }: Extract<SecurityDialog, { name: 'value' }>,
  { messages, common }: SecurityTexts,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${label}</h2>
    <p>${effect ?? messages.shownOnce}</p>
    <copy-field .messages=${common.copy} .label=${label} .value=${value}></copy-field>
    ${doneButton(common)}
  `;
}

/** The fields of a new key. */
function newKeyFields({ messages, language }: SecurityTexts): TemplateResult {
  const days = (count: number) =>
    html`<option value=${count * DAY}>${messages.days(count, count.toLocaleString(language))}</option>`;
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
function newMemberFields(texts: SecurityTexts): TemplateResult {
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
function roleFields(chosen: string, { messages }: SecurityTexts): TemplateResult {
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
function rotationFields({ messages }: SecurityTexts): TemplateResult {
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
