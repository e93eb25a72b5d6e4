import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ManagementError } from '../../../management/management-error.js';
import type { PasskeyBody } from '../../../wire/management/passkey.js';
import type { PasswordOptions, PasswordState } from '../../../wire/management/password.js';
import { qrCode } from '../tokens/qr-code.js';
import { DashboardPage } from '../dashboard-page.js';
import { SESSION_CHANGED, unreadyContent } from '../page-view.js';
import { hasPasskeys, makePasskey, PasskeyError } from '../passkey.js';
import { browserName } from './browser-name.js';
import type { SecurityMessages } from './messages/security-messages.js';
import { formDialog } from './security-dialogs.js';
import { SignInState, type SignInContent } from './sign-in-state.js';

type SignInDialog =
  | { readonly name: 'add' }
  | { readonly name: 'set-password'; readonly options: PasswordOptions }
  | { readonly name: 'remove-password' }
  | { readonly name: 'rename'; readonly passkey: PasskeyBody }
  | { readonly name: 'remove'; readonly passkey: PasskeyBody };

/** The card with the ways in which the person can log in. */
export class SignInWays extends DashboardPage<SecurityMessages, SignInContent> {
  /** Null: somebody with a link of the operator. */
  @property({ attribute: false }) memberName: string | null = null;
  @state() private dialog: SignInDialog | undefined;
  #state: SignInState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new SignInState(this.client, (view) => this.show(view), this.memberName !== null);
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="ways">
        <h2 id="ways">${messages.waysToLogIn}</h2>
        <p class="soft">${messages.passkeysPurpose}</p>
        ${this.#content()}
      </section>
      ${
        this.dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => this.#open(undefined)}>
              ${this.#dialogContent(this.dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  #content(): TemplateResult {
    const { view, messages } = this;
    if (view.name !== 'ready') return unreadyContent(view, this.common, () => void this.#state?.load());
    return html`
      ${
        view.passkeys.length === 0
          ? html`<p>${this.memberName === null ? messages.noPasskeysOfOperator : messages.noPasskeys}</p>`
          : html`<ul>
              ${view.passkeys.map((passkey) => this.#row(passkey))}
            </ul>`
      }
      ${
        hasPasskeys()
          ? html`<div class="actions">
              <button @click=${() => this.#open({ name: 'add' })}>${messages.addPasskey}</button>
            </div>`
          : html`<p class="soft">${messages.passkeysNeed}</p>`
      }
      ${this.#passwordPart(view.password)}
    `;
  }

  #passwordPart({ loginName, createdOn, lastUsedOn }: PasswordState): TemplateResult {
    const { messages } = this;
    return html`
      <h3>${messages.password}</h3>
      <p class="soft">${messages.passwordPurpose}</p>
      ${
        loginName === null || createdOn === null
          ? nothing
          : html`<p class="facts soft">
              <bdi>${loginName}</bdi>
              <span>${messages.created(this.#time(createdOn))}</span>
              <span>${lastUsedOn === null ? messages.neverUsed : messages.lastUsedOn(this.#time(lastUsedOn))}</span>
            </p>`
      }
      ${this.fault && !this.dialog ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      <div class="actions">
        <button ?disabled=${this.isBusy} @click=${this.#openPassword}>
          ${loginName === null ? messages.setPassword : messages.changePassword}
        </button>
        ${
          loginName === null
            ? nothing
            : html`<button class="danger" @click=${() => this.#open({ name: 'remove-password' })}>
                ${messages.removePassword}
              </button>`
        }
      </div>
    `;
  }

  #row(passkey: PasskeyBody): TemplateResult {
    const { messages } = this;
    const { name, host, synced, createdOn, lastUsedOn } = passkey;
    return html`
      <li>
        <div>
          <h3><bdi>${name}</bdi></h3>
          <p class="facts soft">
            ${host === location.hostname ? nothing : html`<span class="is-off">${messages.passkeyOf(host)}</span>`}
            ${synced ? html`<span>${messages.synced}</span>` : nothing}
            <span>${messages.created(this.#time(createdOn))}</span>
            <span>${lastUsedOn === null ? messages.neverUsed : messages.lastUsedOn(this.#time(lastUsedOn))}</span>
          </p>
        </div>
        <div class="actions">
          <button aria-label=${messages.renameThis(name)} @click=${() => this.#open({ name: 'rename', passkey })}>
            ${messages.rename}
          </button>
          <button
            class="danger"
            aria-label=${messages.removeThis(name)}
            @click=${() => this.#open({ name: 'remove', passkey })}
          >
            ${messages.remove}
          </button>
        </div>
      </li>
    `;
  }

  #dialogContent(dialog: SignInDialog): TemplateResult {
    const { messages } = this;
    const form = (title: string, fields: TemplateResult, action: string) =>
      formDialog(
        { title, fields, action },
        {
          fault: this.fault,
          isBusy: this.isBusy,
          onSubmit: (event) => this.#submit(event, dialog),
          onCancel: () => this.#open(undefined),
        },
        { messages, common: this.common },
      );
    switch (dialog.name) {
      case 'add':
        return form(messages.addPasskey, this.#newFields(), messages.addPasskey);
      case 'set-password':
        return form(messages.setPassword, this.#passwordFields(dialog.options), messages.setPassword);
      case 'remove-password':
        return form(
          messages.removePasswordQuestion,
          html`<p class="soft">${messages.removePasskeyEffect}</p>`,
          messages.removePassword,
        );
      case 'rename':
        return form(messages.renameThis(dialog.passkey.name), this.#nameField(dialog.passkey.name), messages.rename);
      case 'remove':
        return form(
          messages.removePasskeyQuestion(dialog.passkey.name),
          html`<p class="soft">${messages.removePasskeyEffect}</p>`,
          messages.remove,
        );
    }
  }

  #newFields(): TemplateResult {
    const { messages } = this;
    const suggested = browserName(navigator.userAgent) ?? '';
    if (this.memberName !== null) return this.#nameField(suggested);
    return html`
      <p class="soft">${messages.becomeMember}</p>
      ${this.#memberNameField()} ${this.#nameField(suggested)}
    `;
  }

  #memberNameField(): TemplateResult {
    return html`
      <label
        >${this.messages.yourName}
        <input name="memberName" required maxlength="128" autocomplete="name" dir="auto" autofocus />
      </label>
    `;
  }

  #passwordFields({ secret, uri }: PasswordOptions): TemplateResult {
    const { messages, common } = this;
    return html`
      ${this.memberName === null ? this.#memberNameField() : nothing}
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
      <label
        >${common.code}
        <input
          name="code"
          required
          pattern="[0-9]{6}"
          maxlength="6"
          inputmode="numeric"
          autocomplete="one-time-code"
          dir="ltr"
        />
      </label>
    `;
  }

  #nameField(name: string): TemplateResult {
    return html`
      <label
        >${this.messages.passkeyName}
        <input name="name" required maxlength="128" autocomplete="off" dir="auto" .value=${name} />
      </label>
    `;
  }

  #submit(event: SubmitEvent, dialog: SignInDialog): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const textOf = (field: string) => String(form.get(field) ?? '').trim();
    const state = this.#state!;
    this.attempt(async () => {
      switch (dialog.name) {
        case 'add':
          await this.#add({ name: textOf('name'), memberName: textOf('memberName') });
          break;
        case 'set-password':
          await this.#setPassword(form, dialog.options.setup);
          break;
        case 'remove-password':
          await state.removePassword();
          break;
        case 'rename':
          await state.rename(dialog.passkey.id, textOf('name'));
          break;
        case 'remove':
          await state.remove(dialog.passkey.id);
      }
      this.#open(undefined);
    });
  }

  readonly #openPassword = (): void =>
    this.attempt(async () => this.#open({ name: 'set-password', options: await this.#state!.passwordOptions() }));

  async #setPassword(form: FormData, setup: string): Promise<void> {
    const textOf = (field: string) => String(form.get(field) ?? '');
    const fields = { loginName: textOf('loginName').trim(), password: textOf('password'), setup, code: textOf('code') };
    try {
      await this.#state!.setPassword(fields, textOf('memberName').trim());
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#announceMember();
    }
  }

  /** The refusals that people meet, in their language. */
  #explained(error: unknown): unknown {
    const texts: Readonly<Record<string, string>> = {
      setup_wrong: this.messages.setupWrong,
      password_unfit: this.messages.passwordUnfit,
      login_name_taken: this.messages.loginNameTaken,
    };
    const text = error instanceof ManagementError ? texts[error.code] : undefined;
    return text === undefined ? error : new Error(text, { cause: error });
  }

  /** They may be a member now, whether or not the rest succeeded. */
  #announceMember(): void {
    if (this.memberName === null) this.dispatchEvent(new Event(SESSION_CHANGED, { bubbles: true }));
  }

  async #add(fields: { name: string; memberName: string }): Promise<void> {
    try {
      await this.#state!.add(fields, makePasskey);
    } catch (error) {
      throw error instanceof PasskeyError ? new Error(this.common[error.fault], { cause: error }) : error;
    } finally {
      this.#announceMember();
    }
  }

  #open(dialog: SignInDialog | undefined): void {
    this.fault = '';
    this.dialog = dialog;
  }

  #time(date: string): string {
    return new Date(date).toLocaleString(this.language, { dateStyle: 'medium', timeStyle: 'short' });
  }
}

customElements.define('sign-in-ways', SignInWays);

declare global {
  interface HTMLElementTagNameMap {
    'sign-in-ways': SignInWays;
  }
}
