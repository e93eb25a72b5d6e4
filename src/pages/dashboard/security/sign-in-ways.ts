import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { PasskeyBody } from '../../../wire/management/passkey.js';
import { DashboardPage } from '../dashboard-page.js';
import { SESSION_CHANGED, unreadyContent } from '../page-view.js';
import { hasPasskeys, makePasskey, PasskeyError } from '../passkey.js';
import { browserName } from './browser-name.js';
import type { SecurityMessages } from './messages/security-messages.js';
import { formDialog } from './security-dialogs.js';
import { SignInState, type SignInContent } from './sign-in-state.js';

type SignInDialog =
  | { readonly name: 'add' }
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
      <label
        >${messages.yourName}
        <input name="memberName" required maxlength="128" autocomplete="name" dir="auto" autofocus />
      </label>
      ${this.#nameField(suggested)}
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
        case 'rename':
          await state.rename(dialog.passkey.id, textOf('name'));
          break;
        case 'remove':
          await state.remove(dialog.passkey.id);
      }
      this.#open(undefined);
    });
  }

  async #add(fields: { name: string; memberName: string }): Promise<void> {
    try {
      await this.#state!.add(fields, makePasskey);
    } catch (error) {
      throw error instanceof PasskeyError ? new Error(this.common[error.fault], { cause: error }) : error;
    } finally {
      // They may be a member now, whether or not they have a passkey.
      if (this.memberName === null) this.dispatchEvent(new Event(SESSION_CHANGED, { bubbles: true }));
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
