import { html, nothing, type TemplateResult } from 'lit';
import type { MemberBody } from '../../../wire/management/member.js';
import { dateTimeText } from '../formatting.js';
import type { SecurityDialog } from './security-dialogs.js';
import type { SecurityTexts } from './security-texts.js';

interface MemberActions {
  readonly isBusy: boolean;
  readonly onOpen: (dialog: SecurityDialog) => void;
  readonly onInviteAgain: (member: MemberBody) => void;
}

/** The people of the account, with their roles. */
export function membersCard(
  members: readonly MemberBody[],
  actions: MemberActions,
  texts: SecurityTexts,
): TemplateResult {
  const { messages } = texts;
  return html`
    <section class="card" aria-labelledby="members">
      <h2 id="members">${messages.members}</h2>
      <p class="soft">${messages.membersPurpose}</p>
      ${
        members.length === 0
          ? html`<p class="soft">${messages.noMembers}</p>`
          : html`<ul>
              ${members.map((member) => row(member, actions, texts))}
            </ul>`
      }
      <div class="actions">
        <button @click=${() => actions.onOpen({ name: 'new-member' })}>${messages.inviteMember}</button>
      </div>
    </section>
  `;
}

function row(member: MemberBody, actions: MemberActions, { messages, language }: SecurityTexts): TemplateResult {
  const { isBusy, onOpen, onInviteAgain } = actions;
  const { name, role, lastSeenOn, passkeys, current } = member;
  const names: Readonly<Record<string, string>> = messages.roleNames;
  return html`
    <li>
      <div>
        <h3><bdi>${name}</bdi></h3>
        <p class="facts soft">
          <span>${names[role] ?? role}</span>
          ${current ? html`<span class="is-on">${messages.you}</span>` : nothing}
          ${
            passkeys > 0
              ? html`<span>${messages.passkeyCount(passkeys, passkeys.toLocaleString(language))}</span>`
              : nothing
          }
          <span
            >${lastSeenOn === null ? messages.notLoggedIn : messages.lastSeen(dateTimeText(lastSeenOn, language))}</span
          >
        </p>
      </div>
      <div class="actions">
        <button aria-label=${messages.loginLinkFor(name)} ?disabled=${isBusy} @click=${() => onInviteAgain(member)}>
          ${messages.loginLink}
        </button>
        <button aria-label=${messages.changeRoleOf(name)} @click=${() => onOpen({ name: 'change-role', member })}>
          ${messages.changeRole}
        </button>
        <button
          class="danger"
          aria-label=${messages.removeMemberNamed(name)}
          @click=${() => onOpen({ name: 'remove-member', member })}
        >
          ${messages.removeMember}
        </button>
      </div>
    </li>
  `;
}
