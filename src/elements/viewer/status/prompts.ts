import { html, type TemplateResult } from 'lit';
import { icon } from '../../icons.js';
import { MUTED, PLAY } from '../controls/control-icons.js';

/** In the middle of the picture: a click on it begins, or goes on. */
export const playOverlay = (label: string, play: () => void): TemplateResult =>
  html`<div class="cover clear">
    <button type="button" part="button" class="big" title=${label} aria-label=${label} @click=${play}>
      ${icon(PLAY)}
    </button>
  </div>`;

/** In its corner, where the browser let nothing be heard without a click. */
export const unmutePrompt = (label: string, unmute: () => void): TemplateResult =>
  html`<button
    type="button"
    part="button sound"
    class="text bright sound"
    title=${label}
    aria-label=${label}
    @click=${unmute}
  >
    ${icon(MUTED)}<span>${label}</span>
  </button>`;
