import { html, nothing, type TemplateResult } from 'lit';
import type { BroadcasterMessages, TitledMessage } from '../../i18n/messages.js';
import { spinner } from '../../icons.js';
import type { Capture } from './capture.js';

/** The area that covers the preview. */
export const cover = (content: TemplateResult): TemplateResult =>
  html`<div part="cover" class="cover">${content}</div>`;

/** A message about a problem. */
export const notice = ([title, next]: TitledMessage): TemplateResult =>
  html`<p part="notice" class="notice" role="alert"><b>${title}</b> ${next}</p>`;

/**
 * Asks for camera and microphone, and shows why they could not be opened.
 *
 * @param otherWay another button, such as the one that shares a screen
 * @param goesOn `open` also goes live again, as a moment ago
 */
export function permissionPrompt(
  messages: BroadcasterMessages,
  { error, isOpening }: Capture,
  open: () => void,
  otherWay: TemplateResult | typeof nothing,
  goesOn: boolean,
): TemplateResult {
  const [title, next] = goesOn ? messages.wasLive : messages.ready;
  // The button stays while the browser asks, so that a person with a keyboard keeps the focus.
  return cover(html`
    ${
      isOpening
        ? html`<span role="status">${messages.askingForDevices}</span>`
        : html`<slot name="intro">${error ? nothing : html`<b>${title}</b><span>${next}</span>`}</slot>${
              error ? notice(messages[error.code]) : nothing
            }`
    }
    <div class="actions">
      <button part="button ${error ? 'retry' : ''}" class="text bright" aria-disabled=${isOpening} @click=${open}>
        ${isOpening ? spinner : nothing}${error ? messages.tryAgain : goesOn ? messages.goOn : messages.allowDevices}
      </button>
      ${otherWay}
    </div>
  `);
}
