import { html, type TemplateResult } from 'lit';
import type { TokenBody } from '../../../wire/management/token.js';
import { viewerLink } from '../../address.js';
import '../../copy-field.js';
import { doneButton, formDialog, type FormActions } from '../dialog-contents.js';
import { dateTimeText } from '../formatting.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import { lifetimes, USUAL_LIFETIME, type Lifetime } from './viewer-link.js';

/** The link for viewers of a stream, or the question how long a new one works. */
export interface ViewerLinkDraft {
  readonly streamName: string;
  /** Whether the stream is recorded. */
  readonly dvr: boolean;
  /** Undefined: the person is asked, and nothing is created yet. */
  readonly token: TokenBody | undefined;
}

interface ViewerLinkActions extends FormActions {
  /** Asks for a new link beside the one that is shown. */
  readonly onAnother: () => void;
}

/** @param where the origin of the dashboard, its account and its language */
export function viewerLinkDialog(
  { streamName, dvr, token }: ViewerLinkDraft,
  where: { readonly origin: string; readonly accountId: string; readonly language: string },
  { onAnother, ...form }: ViewerLinkActions,
  messages: DashboardMessages,
): TemplateResult {
  const title = messages.viewerLinkFor(streamName);
  const { origin, accountId, language } = where;
  if (!token)
    return formDialog({ title, fields: question(language, messages), action: messages.createLink }, form, messages);
  const link = viewerLink(origin, { accountId, streamName, token: token.token, dvr });
  return html`
    <h2 id="dialog" dir="auto">${title}</h2>
    <p class="soft">${messages.linkEffect}</p>
    <copy-field .messages=${messages.copy} .label=${messages.viewerLink} .value=${link}></copy-field>
    <p class="facts soft">
      <span>${messages.created(dateTimeText(token.addedOn, language))}</span>
      <strong
        >${token.expiresOn ? messages.expires(dateTimeText(token.expiresOn, language)) : messages.neverExpires}</strong
      >
    </p>
    ${doneButton(
      messages,
      html`
        <button @click=${onAnother}>${messages.anotherLink}</button>
        <a class="button" href=${link} target="_blank" rel="noopener">${messages.open}</a>
      `,
    )}
  `;
}

function question(language: string, messages: DashboardMessages): TemplateResult {
  return html`
    <p class="soft">${messages.linkEffect}</p>
    <label
      >${messages.howLong}
      <select name="lifetime" autofocus>
        ${lifetimes.map(
          (seconds) =>
            html`<option value=${seconds ?? ''} ?selected=${seconds === USUAL_LIFETIME}>
              ${seconds === null ? messages.neverExpires : daysText(seconds, language)}
            </option>`,
        )}
      </select>
    </label>
  `;
}

/** The answer to the question. */
export function lifetimeOf(form: FormData): Lifetime {
  const answer = lifetimes.find((seconds) => String(seconds ?? '') === form.get('lifetime'));
  // Null is an answer too.
  return answer === undefined ? USUAL_LIFETIME : answer;
}

/** As `7 days`, in the words of the language. */
function daysText(seconds: number, language: string): string {
  return (seconds / 86_400).toLocaleString(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
}
