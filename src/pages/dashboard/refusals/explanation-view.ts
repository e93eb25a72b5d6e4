import { html, nothing, type TemplateResult } from 'lit';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';

/** What each rule says about a request, in order, with the reason of the first that refuses. */
export function explanationView(
  { message, reason, rules }: Explanation,
  messages: Pick<RefusalsMessages, 'reasons' | 'rules' | 'ruleAllows' | 'ruleRefuses' | 'ruleUnused' | 'aboutReason'>,
): TemplateResult {
  const sentences: Readonly<Record<string, string>> = messages.reasons;
  const sentence = reason === null ? undefined : sentences[reason];
  return html`
    ${
      sentence
        ? html`<p class="soft">${sentence}</p>`
        : message
          ? html`<p lang="en" dir="ltr" class="soft">${message}</p>`
          : nothing
    }
    <ol class="rules">
      ${rules.map(
        ({ rule, allowed, applies }) => html`
          <li>
            ${messages.rules[rule] ? html`<span>${messages.rules[rule]}</span>` : html`<code dir="ltr">${rule}</code>`}
            ${
              applies === false
                ? html`<span class="soft">${messages.ruleUnused}</span>`
                : html`<span class=${allowed ? 'is-on' : 'is-off'}
                    >${allowed ? messages.ruleAllows : messages.ruleRefuses}</span
                  >`
            }
          </li>
        `,
      )}
    </ol>
    ${
      reason ? html`<a href=${`/errors/${reason}`} target="_blank" rel="noopener">${messages.aboutReason}</a>` : nothing
    }
  `;
}
