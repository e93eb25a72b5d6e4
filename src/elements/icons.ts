import { html, type TemplateResult } from 'lit';

/** An icon: an outline on a grid of 24 by 24, as large as the text around it. */
export const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;

export const eyeIcon = icon('M2 12q10-14 20 0-10 14-20 0zM12 11v2');

/** Visual only: a text beside the spinner, or the state that follows, is announced to screen readers. */
export const spinner = html`<i part="spinner" class="spinner"></i>`;
