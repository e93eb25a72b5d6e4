import { html, nothing, type TemplateResult } from 'lit';
import { icon, MUTED, PLAY, SOUND, spinner } from '../../icons.js';
import { iconButton } from '../controls/icon-button.js';
import type { Status } from './viewer-status.js';

/** The part and further classes of each variant. */
const VARIANTS = {
  cover: ['cover', ''],
  clear: ['cover', 'cover'],
  notice: ['notice', 'bar top'],
  'visually-hidden': [nothing, ''],
};

/**
 * Shows the status, and announces it to screen readers. The template has no white space: screen readers would announce it.
 *
 * @param tryAgain label of the button to try again
 */
export function statusArea(
  { variant, title = '', detail, isBusy, canRetry, slot }: Status,
  tryAgain: string,
  retry: () => void,
): TemplateResult {
  // While a picture is on its way, the spinner alone is visible.
  const texts = html`${isBusy ? spinner : slot === 'audio' ? icon(SOUND) : nothing}<b
      class=${variant === 'clear' ? 'visually-hidden' : ''}
      >${title}</b
    >${detail ? html`<span>${detail}</span>` : nothing}${
      canRetry ? html`<button part="button retry" class="text bright" @click=${retry}>${tryAgain}</button>` : nothing
    }`;
  const [part, classes] = VARIANTS[variant];
  const content = variant === 'notice' ? html`<span class="badge">${texts}</span>` : texts;
  const slotted = slot ? html`<slot name=${slot}>${content}</slot>` : content;
  return html`<div part=${part} class="${variant} ${classes}">${slotted}</div>`;
}

/** The big play button over the picture. */
export const playOverlay = (label: string, act: () => void): TemplateResult =>
  html`<div class="cover clear">${iconButton({ name: 'play-overlay', face: [PLAY, label], act })}</div>`;

/** The button in the corner of the picture that asks to unmute it, where the browser has muted it. */
export const unmutePrompt = (label: string, unmute: () => void): TemplateResult =>
  html`<button part="button unmute" class="text bright unmute" title=${label} aria-label=${label} @click=${unmute}>
    ${icon(MUTED)}<span>${label}</span>
  </button>`;
