import { html, nothing, type TemplateResult } from 'lit';
import type { MemberBody } from '../../../wire/management/member.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageNumber } from '../page-query.js';
import { keysCard } from './keys-card.js';
import { loginsCard } from './logins-card.js';
import { membersCard } from './members-card.js';
import type { SecurityMessages } from './messages/security-messages.js';
import { secretCard } from './secret-card.js';
import { newKeyOf, newMemberOf, roleOf, securityDialog, type SecurityDialog } from './security-dialogs.js';
import './sign-in-ways.js';
import { SecurityState, type SecurityContent } from './security-state.js';

/** Account > Security: the ways to log in of each person; for owners also the API secret, keys, members and logins. */
export class SecurityPage extends DashboardPage<SecurityMessages, SecurityContent, SecurityDialog> {
  #state!: SecurityState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new SecurityState(this.client, (view) => this.show(view));
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    if (this.may('account')) void this.#state.load(pageNumber(query));
  }

  protected override render(): TemplateResult {
    const { messages, texts, changes } = this;
    return html`
      <h1 tabindex="-1">${messages.security}</h1>
      ${this.outcome()}
      <sign-in-ways .context=${this.context} .messages=${messages}></sign-in-ways>
      ${
        this.may('account')
          ? this.whenReady(
              (content) => this.#cards(content),
              () => this.follow(this.query),
            )
          : this.#others()
      }
      ${this.dialog.render((dialog) =>
        securityDialog(
          dialog,
          { changes, onSubmit: (event) => this.#submit(event, dialog), onCancel: () => this.dialog.close() },
          texts,
        ),
      )}
    `;
  }

  /** For those who look in vain for what only another role has. */
  #others(): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="others">
        <h2 id="others">${messages.othersCan}</h2>
        <p>${messages.ownersCan}</p>
        ${this.may('tokens') ? nothing : html`<p>${messages.managersCan}</p>`}
      </section>
    `;
  }

  #cards({ secret, keys, members, logins }: SecurityContent): TemplateResult {
    const { texts } = this;
    const { isBusy } = this.changes;
    const onOpen = (dialog: SecurityDialog): void => void this.dialog.open(dialog);
    return html`
      ${secretCard(secret, { isBusy, onOpen, onCreate: () => this.#renewSecret() }, texts)}
      ${keysCard(keys, { onOpen, onTurn: (page) => this.turn({ page }) }, texts)}
      ${membersCard(members, { isBusy, onOpen, onInviteAgain: (member) => this.#inviteAgain(member) }, texts)}
      ${loginsCard(logins, onOpen, texts)}
    `;
  }

  #submit(event: SubmitEvent, dialog: SecurityDialog): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const state = this.#state;
    switch (dialog.name) {
      case 'refresh-secret':
        return this.#renewSecret();
      case 'delete-secret':
        return this.#change(() => state.deleteSecret());
      case 'new-key':
        return this.#createKey(form);
      case 'rotate-key': {
        const { id, name } = dialog.key;
        return this.#showNew(this.messages.valueOf(name), () =>
          state.rotateKey(id, Number(form.get('oldValueExpires'))),
        );
      }
      case 'revoke-key':
        return this.#change(() => state.revokeKey(dialog.key.id));
      case 'new-member': {
        const fields = newMemberOf(form);
        return this.#showLink(fields.name, () => state.inviteMember(fields));
      }
      case 'change-role':
        return this.#change(() => state.changeRole(dialog.member.id, roleOf(form)));
      case 'remove-member':
        return this.#change(() => state.removeMember(dialog.member.id));
      case 'end-login':
        return this.#change(() => state.endLogin(dialog.login.id));
      case 'end-other-logins':
        return this.#change(() => state.endOtherLogins());
      case 'value':
    }
  }

  #change(act: () => Promise<void>): void {
    this.changes.attempt(async () => {
      await act();
      this.dialog.close();
    });
  }

  #createKey(form: FormData): void {
    const fields = newKeyOf(form);
    if (fields.scopes.length === 0) this.changes.refuse(this.messages.scopesMissing);
    else this.#showNew(this.messages.valueOf(fields.name), () => this.#state.createKey(fields));
  }

  #renewSecret(): void {
    this.#showNew(this.messages.secret, () => this.#state.renewSecret());
  }

  #inviteAgain({ id, name }: MemberBody): void {
    this.#showLink(name, () => this.#state.inviteMemberAgain(id));
  }

  #showLink(name: string, act: () => Promise<string>): void {
    const { loginLinkFor, loginLinkEffect } = this.messages;
    this.#showNew(loginLinkFor(name), act, loginLinkEffect);
  }

  /** Shows the value that a change has made, which no later answer of the server has. */
  #showNew(label: string, act: () => Promise<string>, effect?: string): void {
    this.changes.attempt(async () => {
      this.showNewValue({ name: 'value', label, value: await act(), ...(effect && { effect }) });
    });
  }
}

customElements.define('security-page', SecurityPage);

declare global {
  interface HTMLElementTagNameMap {
    'security-page': SecurityPage;
  }
}
