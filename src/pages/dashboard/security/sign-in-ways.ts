import { html, nothing, type TemplateResult } from 'lit';
import { ManagementError } from '../../../management/management-error.js';
import type { PasskeyBody } from '../../../wire/management/passkey.js';
import type { PasswordState } from '../../../wire/management/password.js';
import { DashboardPage } from '../dashboard-page.js';
import { dateTimeText } from '../formatting.js';
import { SESSION_CHANGED } from '../page-view.js';
import { hasPasskeys, makePasskey, PasskeyError } from '../passkey.js';
import type { SecurityMessages } from './messages/security-messages.js';
import { lastTimeText } from './security-texts.js';
import { signInDialog, type SignInDialog } from './sign-in-dialogs.js';
import { SignInState, type SignInContent } from './sign-in-state.js';

/** The card with the ways in which the person can log in. */
export class SignInWays extends DashboardPage<SecurityMessages, SignInContent, SignInDialog> {
  #state!: SignInState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new SignInState(this.client, (view) => this.show(view), this.#isMember);
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages, texts, changes } = this;
    return html`
      <section class="card" aria-labelledby="ways">
        <h2 id="ways">${messages.waysToLogIn}</h2>
        <p class="soft">${messages.passkeysPurpose}</p>
        ${this.whenReady(
          (content) => this.#content(content),
          () => void this.#state.load(),
        )}
      </section>
      ${this.dialog.render((dialog) =>
        signInDialog(
          dialog,
          this.#isMember,
          { changes, onSubmit: (event) => this.#submit(event, dialog), onCancel: () => this.dialog.close() },
          texts,
        ),
      )}
    `;
  }

  /** False: somebody with a link of the operator. */
  get #isMember(): boolean {
    return this.context.memberName !== null;
  }

  #content({ passkeys, password }: SignInContent): TemplateResult {
    const { messages } = this;
    return html`
      ${
        passkeys.length > 0
          ? html`<ul>
              ${passkeys.map((passkey) => this.#row(passkey))}
            </ul>`
          : hasPasskeys()
            ? html`<p>${this.#isMember ? messages.noPasskeys : messages.noPasskeysOfOperator}</p>`
            : nothing
      }
      ${
        hasPasskeys()
          ? html`<div class="actions">
              <button @click=${() => this.dialog.open({ name: 'add' })}>${messages.addPasskey}</button>
            </div>`
          : html`<p class="soft">${messages.passkeysNeed}</p>`
      }
      ${this.#passwordPart(password)}
    `;
  }

  #passwordPart({ loginName, createdOn, lastUsedOn }: PasswordState): TemplateResult {
    const { messages, texts, changes } = this;
    return html`
      <h3>${messages.password}</h3>
      <p class="soft">${messages.passwordPurpose}</p>
      ${
        loginName === null || createdOn === null
          ? nothing
          : html`<p class="facts soft">
              <bdi>${loginName}</bdi>
              <span>${messages.created(dateTimeText(createdOn, this.language))}</span>
              <span>${lastTimeText(lastUsedOn, texts)}</span>
            </p>`
      }
      ${this.dialog.isOpen ? nothing : changes.alert()}
      <div class="actions">
        <button ?disabled=${changes.isBusy} @click=${this.#openPassword}>
          ${loginName === null ? messages.setPassword : messages.changePassword}
        </button>
        ${
          loginName === null
            ? nothing
            : html`<button class="danger" @click=${() => this.dialog.open({ name: 'remove-password' })}>
                ${messages.removePassword}
              </button>`
        }
      </div>
    `;
  }

  #row(passkey: PasskeyBody): TemplateResult {
    const { messages, language, texts } = this;
    const { name, host, synced, createdOn, lastUsedOn } = passkey;
    return html`
      <li>
        <div>
          <h3><bdi>${name}</bdi></h3>
          <p class="facts soft">
            ${host === location.hostname ? nothing : html`<span class="is-off">${messages.passkeyOf(host)}</span>`}
            ${synced ? html`<span>${messages.synced}</span>` : nothing}
            <span>${messages.created(dateTimeText(createdOn, language))}</span>
            <span>${lastTimeText(lastUsedOn, texts)}</span>
          </p>
        </div>
        <div class="actions">
          <button aria-label=${messages.renameThis(name)} @click=${() => this.dialog.open({ name: 'rename', passkey })}>
            ${messages.rename}
          </button>
          <button
            class="danger"
            aria-label=${messages.removeThis(name)}
            @click=${() => this.dialog.open({ name: 'remove', passkey })}
          >
            ${messages.remove}
          </button>
        </div>
      </li>
    `;
  }

  #submit(event: SubmitEvent, dialog: SignInDialog): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    this.changes.attempt(async () => {
      await this.#make(dialog, form);
      this.dialog.close();
    });
  }

  async #make(dialog: SignInDialog, form: FormData): Promise<void> {
    const textOf = (field: string) => String(form.get(field) ?? '').trim();
    switch (dialog.name) {
      case 'add':
        return await this.#add({ name: textOf('name'), memberName: textOf('memberName') });
      case 'set-password':
        return await this.#setPassword(form, dialog.options.setup);
      case 'remove-password':
        return await this.#state.removePassword();
      case 'rename':
        return await this.#state.rename(dialog.passkey.id, textOf('name'));
      case 'remove':
        return await this.#state.remove(dialog.passkey.id);
    }
  }

  readonly #openPassword = (): void =>
    this.changes.attempt(async () => {
      this.dialog.open({ name: 'set-password', options: await this.#state.passwordOptions() });
    });

  async #setPassword(form: FormData, setup: string): Promise<void> {
    const textOf = (field: string) => String(form.get(field) ?? '');
    const fields = { loginName: textOf('loginName').trim(), password: textOf('password'), setup, code: textOf('code') };
    try {
      await this.#state.setPassword(fields, textOf('memberName').trim());
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

  async #add(fields: { name: string; memberName: string }): Promise<void> {
    try {
      await this.#state.add(fields, makePasskey);
    } catch (error) {
      throw error instanceof PasskeyError ? new Error(this.common[error.fault], { cause: error }) : error;
    } finally {
      this.#announceMember();
    }
  }

  /** They may be a member now, whether or not the rest succeeded. */
  #announceMember(): void {
    if (!this.#isMember) this.dispatchEvent(new Event(SESSION_CHANGED, { bubbles: true }));
  }
}

customElements.define('sign-in-ways', SignInWays);

declare global {
  interface HTMLElementTagNameMap {
    'sign-in-ways': SignInWays;
  }
}
