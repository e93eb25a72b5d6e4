import { html, type TemplateResult } from 'lit';

/** An icon: an outline on a grid of 24 by 24, as large as the text around it. */
export const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;

export const eyeIcon = icon('M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6z');

/** Visual only: a text beside the spinner, or the state that follows, is announced to screen readers. */
export const spinner = html`<i part="spinner" class="spinner"></i>`;
