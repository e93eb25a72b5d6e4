import { html, nothing, type TemplateResult } from 'lit';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';

/** What each rule says about a request, in order, with the reason of the first that refuses. */
export function explanationView(
  { message, reason, rules }: Explanation,
  messages: Pick<RefusalsMessages, 'ruleAllows' | 'ruleRefuses' | 'aboutReason'>,
): TemplateResult {
  return html`
    ${message ? html`<p lang="en" class="soft">${message}</p>` : nothing}
    <ol class="rules">
      ${rules.map(
        ({ rule, allowed }) => html`
          <li>
            <code dir="ltr">${rule}</code>
            <span class=${allowed ? 'is-on' : 'is-off'}>${allowed ? messages.ruleAllows : messages.ruleRefuses}</span>
          </li>
        `,
      )}
    </ol>
    ${
      reason ? html`<a href=${`/errors/${reason}`} target="_blank" rel="noopener">${messages.aboutReason}</a>` : nothing
    }
  `;
}
