import { html, nothing, type TemplateResult } from 'lit';
import type { SessionDetailBody } from '../../../wire/management/session.js';
import type { TokenStatisticsDetail } from '../../../wire/management/statistics.js';
import { doneButton } from '../dialog-contents.js';
import { dateTimeText, timeText } from '../formatting.js';
import { tokenWord } from '../token-word.js';
import type { StatisticsMessages } from './messages/statistics-messages.js';
import type { PageTexts } from '../page-context.js';

export type StatisticsDialog =
  | { readonly name: 'timeline'; readonly session: SessionDetailBody }
  | { readonly name: 'token'; readonly token: TokenStatisticsDetail };

/** The content of the dialog of the statistics. */
export function statisticsDialog(dialog: StatisticsDialog, texts: PageTexts<StatisticsMessages>): TemplateResult {
  return html`
    ${dialog.name === 'timeline' ? timeline(dialog.session, texts) : addresses(dialog.token, texts)}
    ${doneButton(texts.common)}
  `;
}

/** How a session ended. A newer server can have reasons that this page does not know. */
export const endText = (reason: string, { endReasons, ended }: StatisticsMessages): string =>
  ended((endReasons as Readonly<Record<string, string>>)[reason] ?? reason);

function timeline(session: SessionDetailBody, { messages, language }: PageTexts<StatisticsMessages>): TemplateResult {
  const { openedOn, events, eventsLeftOut, reason } = session;
  const names: Readonly<Record<string, string>> = messages.events;
  return html`
    <h2 id="dialog">${messages.timelineOf(dateTimeText(openedOn, language))}</h2>
    <ol class="rules">
      ${events.map(
        ({ time, name }) => html`
          <li>
            <span>${names[name] ?? name}</span>
            <time class="soft" datetime=${time}>${timeText(time, language, 'medium')}</time>
          </li>
        `,
      )}
    </ol>
    ${
      eventsLeftOut > 0
        ? html`<p class="soft">${messages.leftOut(eventsLeftOut, eventsLeftOut.toLocaleString(language))}</p>`
        : nothing
    }
    ${reason === null ? nothing : html`<p dir="auto">${endText(reason, messages)}</p>`}
  `;
}

function addresses(
  token: TokenStatisticsDetail,
  { messages, common, language }: PageTexts<StatisticsMessages>,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${messages.addressesOf(tokenWord(token, common))}</h2>
    <p class="soft">${messages.addressCount(token.addressCount.toLocaleString(language))}</p>
    <ol class="rules">
      ${token.addresses.map(
        ({ address, sessions, lastUsedOn }) => html`
          <li>
            <span>
              <bdi>${address ?? messages.unknownAddress}</bdi>
              <span class="soft">${messages.sessionCount(sessions.toLocaleString(language))}</span>
            </span>
            <time class="soft" datetime=${lastUsedOn}>${dateTimeText(lastUsedOn, language)}</time>
          </li>
        `,
      )}
    </ol>
  `;
}
