import { html, type TemplateResult } from 'lit';
import type { figureRows } from './figures-text.js';

/** What comes in, as a list. */
export const figuresPanel = (rows: ReturnType<typeof figureRows>): TemplateResult =>
  html`<dl part="statistics" class="panel">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value || '–'}</dd>`,
    )}
  </dl>`;
