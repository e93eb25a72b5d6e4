import { html, nothing, type TemplateResult } from 'lit';
import type { PasskeyBody } from '../../../wire/management/passkey.js';
import type { PasswordOptions } from '../../../wire/management/password.js';
import { codeField } from '../code-field.js';
import { formDialog, type FormActions } from '../dialog-contents.js';
import { qrCode } from '../tokens/qr-code.js';
import { browserName } from './browser-name.js';
import type { SecurityTexts } from './security-texts.js';

export type SignInDialog =
  | { readonly name: 'add' }
  | { readonly name: 'set-password'; readonly options: PasswordOptions }
  | { readonly name: 'remove-password' }
  | { readonly name: 'rename'; readonly passkey: PasskeyBody }
  | { readonly name: 'remove'; readonly passkey: PasskeyBody };

/**
 * The content of the dialog of the ways to log in.
 * @param isMember false: somebody with a link of the operator, whom a passkey or a password makes a member
 */
export function signInDialog(
  dialog: SignInDialog,
  isMember: boolean,
  actions: FormActions,
  texts: SecurityTexts,
): TemplateResult {
  const { messages } = texts;
  const form = (title: string, fields: TemplateResult, action: string) =>
    formDialog({ title, fields, action }, actions, texts.common);
  switch (dialog.name) {
    case 'add':
      return form(messages.addPasskey, newPasskeyFields(isMember, texts), messages.addPasskey);
    case 'set-password':
      return form(messages.setPassword, passwordFields(dialog.options, isMember, texts), messages.setPassword);
    case 'remove-password':
      return form(
        messages.removePasswordQuestion,
        html`<p class="soft">${messages.removePasskeyEffect}</p>`,
        messages.removePassword,
      );
    case 'rename':
      return form(
        messages.renameThis(dialog.passkey.name),
        passkeyNameField(dialog.passkey.name, texts),
        messages.rename,
      );
    case 'remove':
      return form(
        messages.removePasskeyQuestion(dialog.passkey.name),
        html`<p class="soft">${messages.removePasskeyEffect}</p>`,
        messages.remove,
      );
  }
}

function newPasskeyFields(isMember: boolean, texts: SecurityTexts): TemplateResult {
  const suggested = passkeyNameField(browserName(navigator.userAgent) ?? '', texts);
  if (isMember) return suggested;
  return html`
    <p class="soft">${texts.messages.becomeMember}</p>
    ${memberNameField(texts)} ${suggested}
  `;
}

function passwordFields({ secret, uri }: PasswordOptions, isMember: boolean, texts: SecurityTexts): TemplateResult {
  const { messages, common } = texts;
  return html`
    ${isMember ? nothing : memberNameField(texts)}
    <label
      >${common.loginName}
      <input name="loginName" required maxlength="64" autocomplete="username" autocapitalize="none" dir="ltr" />
    </label>
    <label
      >${messages.newPassword}
      <input
        name="password"
        type="password"
        required
        minlength="12"
        maxlength="128"
        autocomplete="new-password"
        dir="ltr"
      />
    </label>
    <p class="soft">${messages.scanCode}</p>
    ${qrCode(uri, messages.scanCode)}
    <code dir="ltr">${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
    ${codeField(common.code)}
  `;
}

const memberNameField = ({ messages }: SecurityTexts): TemplateResult => html`
  <label
    >${messages.yourName}
    <input name="memberName" required maxlength="128" autocomplete="name" dir="auto" autofocus />
  </label>
`;

const passkeyNameField = (name: string, { messages }: SecurityTexts): TemplateResult => html`
  <label
    >${messages.passkeyName}
    <input name="name" required maxlength="128" autocomplete="off" dir="auto" .value=${name} />
  </label>
`;
