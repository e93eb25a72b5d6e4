import { html, nothing, type TemplateResult } from 'lit';
import { spinner } from '../../spinner.js';
import type { Status } from './viewer-status.js';

const LOOKS = { cover: 'cover', clear: 'cover clear', notice: 'bar top', told: 'told' };

/**
 * What is said about the picture, for eyes and, as it changes, for ears. No white space in it: it would be heard.
 *
 * @param tryAgain on the button, where there is one
 */
export function statusArea(
  { look, title = '', next, isBusy, canRetry, slot }: Status,
  tryAgain: string,
  retry: () => void,
): TemplateResult {
  // What turns is for eyes alone, and the picture to come for itself.
  const said = html`${isBusy ? spinner : nothing}<b class=${look === 'clear' ? 'told' : ''}>${title}</b>${
      next ? html`<span>${next}</span>` : nothing
    }${
      canRetry
        ? html`<button type="button" part="button" class="text bright" @click=${retry}>${tryAgain}</button>`
        : nothing
    }`;
  const content = look === 'notice' ? html`<span class="badge">${said}</span>` : said;
  const part = look === 'cover' || look === 'clear' ? 'cover' : '';
  const framed = slot ? html`<slot name=${slot}>${content}</slot>` : content;
  return html`<div part=${part} class=${LOOKS[look]}>${framed}</div>`;
}
