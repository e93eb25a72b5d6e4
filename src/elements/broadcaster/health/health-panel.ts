import { html, type TemplateResult } from 'lit';
import { connectionStatsRows } from '../../stats/stats-rows.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { Health, Verdict } from './health.js';

/** How it goes, in words. */
export function healthSentence(words: BroadcasterMessages, verdict: Verdict, height = 0): string {
  switch (verdict) {
    case 'busy':
      return words.healthBusy;
    case 'lossy':
      return words.healthLossy;
    case 'slow':
      return words.healthSlow(height, String(height));
    case 'good':
      return words.healthGood;
  }
}

/** The words, and behind them the figures for those who ask. */
export function healthPanel(
  words: MessagesController<BroadcasterMessages>,
  verdict: Verdict,
  health: Partial<Health> = {},
): TemplateResult {
  const said = words.current;
  return html`<details part="health">
    <summary>
      ${said.health}: <span class="verdict ${verdict}">${healthSentence(said, verdict, health.height)}</span>
    </summary>
    <dl>
      ${connectionStatsRows(said, words.number.bind(words), health).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value || '–'}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
