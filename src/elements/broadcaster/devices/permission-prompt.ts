import { html, nothing, type TemplateResult } from 'lit';
import { spinner } from '../../icons.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { CaptureController } from './capture-controller.js';
import { notice } from '../live/notices.js';

/** What lies over the preview while there is none. */
export const cover = (content: TemplateResult): TemplateResult =>
  html`<div part="cover" class="cover">${content}</div>`;

/** What is to be done before there is anything to see, and why it could not be. */
export function permissionPrompt(
  words: BroadcasterMessages,
  { error, isOpening }: CaptureController,
  allow: () => void,
  otherWay: TemplateResult | typeof nothing,
): TemplateResult {
  const [title, next] = words.ready;
  // The button stays while the browser asks: whoever pressed it by key must not lose the place.
  return cover(html`
    ${
      isOpening
        ? html`<span role="status">${words.askingForDevices}</span>`
        : html`<slot name="intro">${error ? nothing : html`<b>${title}</b><span>${next}</span>`}</slot>${
              error ? notice(words[error.code]) : nothing
            }`
    }
    <div class="actions">
      <button part="button" class="text bright" aria-disabled=${isOpening} @click=${allow}>
        ${isOpening ? spinner : nothing}${error ? words.tryAgain : words.allowDevices}
      </button>
      ${otherWay}
    </div>
  `);
}
