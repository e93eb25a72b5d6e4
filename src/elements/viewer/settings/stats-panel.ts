import { html, type TemplateResult } from 'lit';
import type { Row } from '../../stats/stats-rows.js';

/** The rows as a list. */
export const statsPanel = (rows: readonly Row[]): TemplateResult =>
  html`<dl part="statistics" class="panel">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value || '–'}</dd>`,
    )}
  </dl>`;
