import { html, nothing, type TemplateResult } from 'lit';
import type { PasswordLogin } from '../../wire/management/password.js';
import { codeField } from './code-field.js';
import { isFormKept } from './kept-form.js';
import type { LoginView } from './login-state.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import { hasPasskeys } from './passkey.js';

interface LoginActions {
  readonly isBusy: boolean;
  readonly onPasskey: () => void;
  readonly onPassword: (fields: PasswordLogin) => void;
  /** Goes on with the session that the browser has meanwhile. */
  readonly onContinue: () => void;
}

/** What somebody sees who is not logged in: the ways to log in. */
export function loginForm(
  { notice }: Extract<LoginView, { name: 'logged-out' }>,
  languages: TemplateResult,
  { isBusy, onPasskey, onPassword, onContinue }: LoginActions,
  messages: DashboardMessages,
): TemplateResult {
  return html`
    <main class="card notice">
      <div class="heading">
        <h1>${messages.logIn}</h1>
        ${languages}
      </div>
      ${notice ? html`<p role="alert">${messages[notice]}</p>` : nothing}
      ${
        hasPasskeys()
          ? html`<div class="actions">
              <button class="primary" ?disabled=${isBusy} @click=${onPasskey}>${messages.logInWithPasskey}</button>
            </div>`
          : nothing
      }
      ${passwordForm(isBusy, onPassword, messages)}
      <p class="soft">${messages.withoutPasskey}</p>
      <p class="soft">${messages.howToLogIn}</p>
      <code dir="ltr">npx streamgate dashboard</code>
      ${notice === 'sessionEnded' ? resumption(onContinue, messages) : nothing}
    </main>
  `;
}

function passwordForm(
  isBusy: boolean,
  onPassword: LoginActions['onPassword'],
  messages: DashboardMessages,
): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const textOf = (field: string) => String(form.get(field) ?? '');
    onPassword({ loginName: textOf('loginName').trim(), password: textOf('password'), code: textOf('code') });
  };
  return html`
    <details>
      <summary>${messages.logInWithPassword}</summary>
      <form class="fields" @submit=${submit}>
        <label
          >${messages.loginName}
          <input name="loginName" required maxlength="64" autocomplete="username" autocapitalize="none" dir="ltr" />
        </label>
        <label
          >${messages.password}
          <input name="password" type="password" required autocomplete="current-password" dir="ltr" />
        </label>
        ${codeField(messages.code)}
        <div class="actions"><button class="primary" ?disabled=${isBusy}>${messages.logIn}</button></div>
      </form>
    </details>
  `;
}

/** For somebody who has logged in by another tab meanwhile. */
function resumption(onContinue: () => void, messages: DashboardMessages): TemplateResult {
  return html`
    ${isFormKept() ? html`<p class="soft">${messages.textIsKept}</p>` : nothing}
    <button @click=${onContinue}>${messages.continue}</button>
  `;
}
