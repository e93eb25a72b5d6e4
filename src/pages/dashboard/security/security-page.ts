import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ApiKeyBody } from '../../../wire/management/api-key.js';
import type { ApiSecretState } from '../../../wire/management/api-secret.js';
import type { CreateMember, MemberBody } from '../../../wire/management/member.js';
import type { LoginBody } from '../../../wire/management/login.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import { keyStatus } from './key-status.js';
import { browserName } from './browser-name.js';
import type { SecurityMessages } from './messages/security-messages.js';
import {
  formDialog,
  newKeyFields,
  newKeyOf,
  newMemberFields,
  newMemberOf,
  questionOf,
  roleFields,
  roleOf,
  rotationFields,
  valueDialog,
  type SecurityDialog,
} from './security-dialogs.js';
import './sign-in-ways.js';
import { SecurityState, type KeyPage, type SecurityContent } from './security-state.js';

/** Account > Security: the ways to log in of each person; for owners also the API secret, keys, members and logins. */
export class SecurityPage extends DashboardPage<SecurityMessages, SecurityContent> {
  /** Null: somebody with a link of the operator. */
  @property({ attribute: false }) memberName: string | null = null;
  @property({ attribute: false }) permissions: readonly string[] = [];
  @state() private dialog: SecurityDialog | undefined;
  #state: SecurityState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new SecurityState(this.client, (view) => this.show(view));
    if (this.#mayChangeAccount) void this.#state.load();
  }

  protected override render(): TemplateResult {
    return html`
      <h1 tabindex="-1">${this.messages.security}</h1>
      <sign-in-ways
        .client=${this.client}
        .messages=${this.messages}
        .common=${this.common}
        .language=${this.language}
        .memberName=${this.memberName}
      ></sign-in-ways>
      ${this.#mayChangeAccount ? this.#content() : nothing}
      ${
        this.dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => this.#open(undefined)}>
              ${this.#dialogContent(this.dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  get #mayChangeAccount(): boolean {
    return this.permissions.includes('account');
  }

  #content(): TemplateResult {
    const { view } = this;
    if (view.name !== 'ready') return unreadyContent(view, this.common, () => void this.#state?.load());
    return html`${this.#secretCard(view.secret)} ${this.#keysCard(view.keys)} ${this.#membersCard(view.members)}
    ${this.#loginsCard(view.logins)}`;
  }

  #secretCard(secret: ApiSecretState): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="secret">
        <h2 id="secret">${messages.secret}</h2>
        <p class="soft">${messages.secretPurpose}</p>
        ${
          secret.exists
            ? html`
                <p class="facts">
                  <code dir="ltr">${secret.id}</code>
                  <span class="soft"
                    >${secret.createdOn ? messages.created(this.#time(secret.createdOn)) : nothing}</span
                  >
                  <span class="soft">${this.#lastUse(secret)}</span>
                </p>
                <div class="actions">
                  <button @click=${() => this.#open({ name: 'refresh-secret' })}>${messages.refreshSecret}</button>
                  <button class="danger" @click=${() => this.#open({ name: 'delete-secret' })}>
                    ${messages.deleteSecret}
                  </button>
                </div>
              `
            : html`
                <p>${messages.noSecret}</p>
                ${this.fault && !this.dialog ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
                <div class="actions">
                  <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#renewSecret()}>
                    ${messages.createSecret}
                  </button>
                </div>
              `
        }
      </section>
    `;
  }

  #keysCard(page: KeyPage): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="keys">
        <h2 id="keys">${messages.keys}</h2>
        <p class="soft">${messages.keysPurpose}</p>
        ${
          page.keys.length === 0
            ? html`<p class="soft">${messages.noKeys}</p>`
            : html`<ul>
                ${page.keys.map((key) => this.#row(key))}
              </ul>`
        }
        ${pageButtons(page, { messages: this.common, language: this.language }, (turned) => void this.#state?.load(turned))}
        <div class="actions">
          <button @click=${() => this.#open({ name: 'new-key' })}>${messages.newKey}</button>
        </div>
      </section>
    `;
  }

  #membersCard(members: readonly MemberBody[]): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="members">
        <h2 id="members">${messages.members}</h2>
        <p class="soft">${messages.membersPurpose}</p>
        ${
          members.length === 0
            ? html`<p class="soft">${messages.noMembers}</p>`
            : html`<ul>
                ${members.map((member) => this.#memberRow(member))}
              </ul>`
        }
        ${this.fault && !this.dialog ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
        <div class="actions">
          <button @click=${() => this.#open({ name: 'new-member' })}>${messages.inviteMember}</button>
        </div>
      </section>
    `;
  }

  #memberRow(member: MemberBody): TemplateResult {
    const { messages } = this;
    const { name, role, lastSeenOn, passkeys, current } = member;
    const names: Readonly<Record<string, string>> = messages.roleNames;
    return html`
      <li>
        <div>
          <h3><bdi>${name}</bdi></h3>
          <p class="facts soft">
            <span>${names[role] ?? role}</span>
            ${current ? html`<span class="is-on">${messages.you}</span>` : nothing}
            ${passkeys > 0 ? html`<span>${messages.passkeyCount(passkeys)}</span>` : nothing}
            <span>${lastSeenOn === null ? messages.notLoggedIn : messages.lastSeen(this.#time(lastSeenOn))}</span>
          </p>
        </div>
        <div class="actions">
          <button
            aria-label=${messages.loginLinkFor(name)}
            ?disabled=${this.isBusy}
            @click=${() => this.#inviteAgain(member)}
          >
            ${messages.loginLink}
          </button>
          <button aria-label=${messages.changeRoleOf(name)} @click=${() => this.#open({ name: 'change-role', member })}>
            ${messages.changeRole}
          </button>
          <button
            class="danger"
            aria-label=${messages.removeMemberNamed(name)}
            @click=${() => this.#open({ name: 'remove-member', member })}
          >
            ${messages.removeMember}
          </button>
        </div>
      </li>
    `;
  }

  #loginsCard(logins: readonly LoginBody[]): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="logins">
        <h2 id="logins">${messages.logins}</h2>
        <p class="soft">${messages.loginsPurpose}</p>
        <ul>
          ${logins.map((login) => this.#loginRow(login))}
        </ul>
        ${
          logins.length > 1
            ? html`<div class="actions">
                <button @click=${() => this.#open({ name: 'end-other-logins' })}>${messages.endOtherLogins}</button>
              </div>`
            : nothing
        }
      </section>
    `;
  }

  #loginRow(login: LoginBody): TemplateResult {
    const { messages } = this;
    const { createdOn, lastSeenOn, lastSeenFrom, userAgent } = login;
    const browser = browserName(userAgent ?? '') ?? messages.unknownBrowser;
    return html`
      <li>
        <div>
          <h3><bdi>${browser}</bdi></h3>
          <p class="facts soft">
            ${login.memberName === null ? nothing : html`<strong><bdi>${login.memberName}</bdi></strong>`}
            ${login.current ? html`<span class="is-on">${messages.thisBrowser}</span>` : nothing}
            ${createdOn === null ? nothing : html`<span>${messages.loggedIn(this.#time(createdOn))}</span>`}
            <span>${this.#lastUse({ lastUsedOn: lastSeenOn, lastUsedFrom: lastSeenFrom })}</span>
          </p>
        </div>
        ${
          login.current
            ? nothing
            : html`<div class="actions">
                <button
                  aria-label=${messages.endLoginOf(browser)}
                  @click=${() => this.#open({ name: 'end-login', login, browser })}
                >
                  ${messages.endLogin}
                </button>
              </div>`
        }
      </li>
    `;
  }

  #row(key: ApiKeyBody): TemplateResult {
    const { messages } = this;
    const status = keyStatus(key, Date.now());
    const known: Readonly<Record<string, string>> = messages.scope;
    return html`
      <li>
        <div>
          <h3><bdi>${key.name}</bdi></h3>
          <p class="facts soft">
            <span class=${status === 'active' ? 'is-on' : 'is-off'}>${messages[status]}</span>
            <code dir="ltr">${key.id}</code>
            <span>${messages.created(this.#time(key.createdOn))}</span>
            <span>${key.expiresOn ? messages.expires(this.#time(key.expiresOn)) : messages.neverExpires}</span>
            <span>${this.#lastUse(key)}</span>
            ${
              key.oldValueExpiresOn && status === 'active'
                ? html`<span>${messages.oldValueUntil(this.#time(key.oldValueExpiresOn))}</span>`
                : nothing
            }
          </p>
          <ul class="scopes soft">
            ${key.scopes.map((scope) => html`<li>${known[scope] ?? scope}</li>`)}
          </ul>
        </div>
        ${
          status === 'revoked'
            ? nothing
            : html`
                <div class="actions">
                  ${
                    status === 'active'
                      ? html`<button
                          aria-label=${messages.rotateThis(key.name)}
                          @click=${() => this.#open({ name: 'rotate-key', key })}
                        >
                          ${messages.rotate}
                        </button>`
                      : nothing
                  }
                  <button
                    class="danger"
                    aria-label=${messages.revokeThis(key.name)}
                    @click=${() => this.#open({ name: 'revoke-key', key })}
                  >
                    ${messages.revoke}
                  </button>
                </div>
              `
        }
      </li>
    `;
  }

  #dialogContent(dialog: SecurityDialog): TemplateResult {
    const texts = { messages: this.messages, common: this.common };
    const form = (title: string, fields: TemplateResult, action: string) =>
      formDialog(
        { title, fields, action },
        {
          fault: this.fault,
          isBusy: this.isBusy,
          onSubmit: (event) => this.#submit(event, dialog),
          onCancel: () => this.#open(undefined),
        },
        texts,
      );
    const question = questionOf(dialog, this.messages);
    if (question) return form(question.title, html`<p class="soft">${question.effect}</p>`, question.action);
    switch (dialog.name) {
      case 'new-key':
        return form(this.messages.newKey, newKeyFields(texts), this.messages.createKey);
      case 'new-member':
        return form(this.messages.inviteMember, newMemberFields(texts), this.messages.inviteMember);
      case 'change-role':
        return form(
          this.messages.changeRoleOf(dialog.member.name),
          roleFields(dialog.member.role, texts),
          this.messages.changeRole,
        );
      case 'rotate-key':
        return form(this.messages.rotateThis(dialog.key.name), rotationFields(texts), this.messages.rotate);
      case 'value':
        return valueDialog(dialog, texts);
      default:
        return html``;
    }
  }

  #submit(event: SubmitEvent, dialog: SecurityDialog): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const state = this.#state!;
    switch (dialog.name) {
      case 'refresh-secret':
        return this.#renewSecret();
      case 'delete-secret':
        return this.attempt(async () => this.#open(await state.deleteSecret()));
      case 'revoke-key':
        return this.attempt(async () => this.#open(await state.revokeKey(dialog.key.id)));
      case 'new-member':
        return this.#inviteMember(newMemberOf(form));
      case 'change-role':
        return this.attempt(async () => this.#open(await state.changeRole(dialog.member.id, roleOf(form))));
      case 'remove-member':
        return this.attempt(async () => this.#open(await state.removeMember(dialog.member.id)));
      case 'end-login':
        return this.attempt(async () => this.#open(await state.endLogin(dialog.login.id)));
      case 'end-other-logins':
        return this.attempt(async () => this.#open(await state.endOtherLogins()));
      case 'rotate-key':
        return this.attempt(async () => {
          const value = await state.rotateKey(dialog.key.id, Number(form.get('oldValueExpires')));
          this.#open({ name: 'value', label: this.messages.valueOf(dialog.key.name), value });
        });
      case 'new-key':
        return this.#createKey(form);
      case 'value':
    }
  }

  #createKey(form: FormData): void {
    const fields = newKeyOf(form);
    if (fields.scopes.length === 0) {
      this.fault = this.messages.scopesMissing;
      return;
    }
    this.attempt(async () => {
      const value = await this.#state!.createKey(fields);
      this.#open({ name: 'value', label: this.messages.valueOf(fields.name), value });
    });
  }

  #inviteMember(fields: CreateMember): void {
    this.attempt(async () => this.#showLink(fields.name, await this.#state!.inviteMember(fields)));
  }

  #inviteAgain({ id, name }: MemberBody): void {
    this.attempt(async () => this.#showLink(name, await this.#state!.inviteMemberAgain(id)));
  }

  #showLink(name: string, value: string): void {
    const { messages } = this;
    this.#open({ name: 'value', label: messages.loginLinkFor(name), value, effect: messages.loginLinkEffect });
  }

  #renewSecret(): void {
    this.attempt(async () => {
      const value = await this.#state!.renewSecret();
      this.#open({ name: 'value', label: this.messages.secret, value });
    });
  }

  #open(dialog: SecurityDialog | undefined | void): void {
    this.fault = '';
    this.dialog = dialog ?? undefined;
  }

  #time(date: string): string {
    return new Date(date).toLocaleString(this.language, { dateStyle: 'medium', timeStyle: 'short' });
  }

  #lastUse({ lastUsedOn, lastUsedFrom }: { lastUsedOn: string | null; lastUsedFrom: string | null }): string {
    if (lastUsedOn === null) return this.messages.neverUsed;
    return this.messages.lastUsed(this.#time(lastUsedOn), lastUsedFrom ?? '?');
  }
}

customElements.define('security-page', SecurityPage);

declare global {
  interface HTMLElementTagNameMap {
    'security-page': SecurityPage;
  }
}
