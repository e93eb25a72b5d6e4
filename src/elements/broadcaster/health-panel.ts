import { html, type TemplateResult } from 'lit';
import { connectionRows } from '../viewer/figures-text.js';
import type { WordsController } from '../words/words-controller.js';
import type { BroadcasterWords } from '../words/words.js';
import type { Health, Verdict } from './health.js';

/** How it goes, in words. */
export function healthSentence(words: BroadcasterWords, verdict: Verdict, height = 0): string {
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
  words: WordsController<BroadcasterWords>,
  verdict: Verdict,
  health: Partial<Health> = {},
): TemplateResult {
  const said = words.current;
  return html`<details part="health">
    <summary>
      ${said.health}: <span class="verdict ${verdict}">${healthSentence(said, verdict, health.height)}</span>
    </summary>
    <dl>
      ${connectionRows(said, words.number.bind(words), health).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value || '–'}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
