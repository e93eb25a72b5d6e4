import { html, type TemplateResult } from 'lit';
import type { inboundStatsRows } from './stats-rows.js';

/** What comes in, as a list. */
export const statsPanel = (rows: ReturnType<typeof inboundStatsRows>): TemplateResult =>
  html`<dl part="statistics" class="panel">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value || '–'}</dd>`,
    )}
  </dl>`;
