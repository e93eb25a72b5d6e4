import { html, type TemplateResult } from 'lit';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import { connectionStatsRows } from '../../stats/stats-rows.js';
import type { Health } from './health.js';
import type { ToldHealth } from './told-health.js';

/** The verdict as a sentence. */
export function healthSentence(
  messages: BroadcasterMessages,
  { verdict, height = 0 }: Pick<ToldHealth, 'verdict' | 'height'>,
): string {
  switch (verdict) {
    case 'busy':
      return messages.healthBusy;
    case 'server':
      return messages.healthServer;
    case 'lossy':
      return messages.healthLossy;
    case 'slow':
      return messages.healthSlow(height, String(height));
    case 'good':
      return messages.healthGood;
  }
}

/** The verdict, and the statistics of the connection when it is opened. */
export function healthPanel(
  messages: MessagesController<BroadcasterMessages>,
  told: Pick<ToldHealth, 'verdict' | 'height'> = { verdict: 'good', height: undefined },
  health: Partial<Health> = {},
): TemplateResult {
  const { current } = messages;
  return html`<details part="health">
    <summary>${current.health}: <span class="verdict ${told.verdict}">${healthSentence(current, told)}</span></summary>
    <dl part="statistics">
      ${connectionStatsRows(current, messages.number.bind(messages), health).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value || '–'}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
