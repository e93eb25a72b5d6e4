import { html, nothing, type TemplateResult } from 'lit';
import type { LoginBody } from '../../../wire/management/login.js';
import { dateTimeText } from '../formatting.js';
import { browserName } from './browser-name.js';
import type { SecurityDialog } from './security-dialogs.js';
import { lastUseText, type SecurityTexts } from './security-texts.js';

type OnOpen = (dialog: SecurityDialog) => void;

/** The browsers in which somebody is logged in. */
export function loginsCard(logins: readonly LoginBody[], onOpen: OnOpen, texts: SecurityTexts): TemplateResult {
  const { messages } = texts;
  return html`
    <section class="card" aria-labelledby="logins">
      <h2 id="logins">${messages.logins}</h2>
      <p class="soft">${messages.loginsPurpose}</p>
      <ul>
        ${logins.map((login) => row(login, onOpen, texts))}
      </ul>
      ${
        logins.length > 1
          ? html`<div class="actions">
              <button @click=${() => onOpen({ name: 'end-other-logins' })}>${messages.endOtherLogins}</button>
            </div>`
          : nothing
      }
    </section>
  `;
}

function row(login: LoginBody, onOpen: OnOpen, texts: SecurityTexts): TemplateResult {
  const { messages, language } = texts;
  const { memberName, current, createdOn, lastSeenOn, lastSeenFrom, userAgent } = login;
  const browser = browserName(userAgent ?? '') ?? messages.unknownBrowser;
  return html`
    <li>
      <div>
        <h3><bdi>${browser}</bdi></h3>
        <p class="facts soft">
          ${memberName === null ? nothing : html`<strong><bdi>${memberName}</bdi></strong>`}
          ${current ? html`<span class="is-on">${messages.thisBrowser}</span>` : nothing}
          ${createdOn === null ? nothing : html`<span>${messages.loggedIn(dateTimeText(createdOn, language))}</span>`}
          <span>${lastUseText({ lastUsedOn: lastSeenOn, lastUsedFrom: lastSeenFrom }, texts)}</span>
        </p>
      </div>
      ${
        current
          ? nothing
          : html`<div class="actions">
              <button
                aria-label=${messages.endLoginOf(browser)}
                @click=${() => onOpen({ name: 'end-login', login, browser })}
              >
                ${messages.endLogin}
              </button>
            </div>`
      }
    </li>
  `;
}
