import { html, nothing, type TemplateResult } from 'lit';
import type { Explanation, ExplainRequest } from '../../../wire/management/explain.js';
import type { TokenBody } from '../../../wire/management/token.js';
import type { PageChanges } from '../page-changes.js';
import { explanationView } from '../refusals/explanation-view.js';
import type { RefusalsMessages } from '../refusals/messages/refusals-messages.js';
import { nameOf, type TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';
import { firstStream } from './use-dialog.js';

/** The question whether a token would admit somebody. */
export interface TokenTrial {
  readonly kind: TokenKind;
  readonly token: TokenBody;
  /** Undefined: nothing was asked yet. */
  readonly explanation: Explanation | undefined;
}

/** The texts of the page of refusals, which explains by the same rules. */
export type TrialTexts = TokenTexts & { readonly refusals: RefusalsMessages };

/** A form for a stream, a website and an address, and what the rules say about them. */
export function trialDialog(
  { kind, token, explanation }: TokenTrial,
  { changes, onSubmit }: { changes: PageChanges; onSubmit: (event: SubmitEvent) => void },
  { messages, common, refusals }: TrialTexts,
): TemplateResult {
  const sentences: Readonly<Record<string, string>> = refusals.reasons;
  return html`
    <h2 id="dialog" dir="auto">${messages.trialOf(nameOf(token, common))}</h2>
    <form class="fields" @submit=${onSubmit}>
      <label
        >${common.streamName}
        <input
          name="streamName"
          value=${firstStream(token)}
          required
          maxlength="128"
          autocomplete="off"
          spellcheck="false"
          dir="auto"
        />
      </label>
      <label
        >${messages.trialWebsite}
        <input
          name="origin"
          maxlength="2000"
          autocomplete="off"
          spellcheck="false"
          dir="ltr"
          placeholder="https://example.com"
        />
      </label>
      <label
        >${messages.trialAddress}
        <input
          name="address"
          maxlength="45"
          autocomplete="off"
          spellcheck="false"
          dir="ltr"
          placeholder="203.0.113.7"
        />
      </label>
      <p class="soft">${messages.trialHint}</p>
      <div class="actions">
        <button class="primary" ?disabled=${changes.isBusy}>${messages.trialAsk}</button>
      </div>
    </form>
    ${changes.alert()}
    <div role="status">
      ${
        explanation
          ? html`<p class=${explanation.allowed ? 'is-on' : 'is-off'}>
              ${explanation.allowed ? messages.wouldAdmit[kind] : messages.wouldRefuse}
              ${sentences[explanation.reason ?? ''] ?? nothing}
            </p>`
          : nothing
      }
    </div>
    ${explanation ? explanationView(explanation, refusals) : nothing}
    <div class="actions">
      <form method="dialog"><button>${common.done}</button></form>
    </div>
  `;
}

/** The request that the form describes. */
export function requestOf(form: FormData, { kind, token }: Pick<TokenTrial, 'kind' | 'token'>): ExplainRequest {
  const entered = (name: string): string => String(form.get(name) ?? '').trim();
  const origin = originOf(entered('origin'));
  const ip = entered('address');
  return {
    kind,
    tokenId: token.id,
    streamName: entered('streamName'),
    ...(origin && { origin }),
    ...(ip && { ip }),
  };
}

/** The origin that a browser sends from a website, for what people copy from the address bar or write by hand. */
export function originOf(website: string): string {
  if (website === '' || website === 'null') return website;
  const address = website.includes('://') ? website : `https://${website}`;
  const origin = URL.canParse(address) ? new URL(address).origin : website;
  // Schemes of apps, such as `capacitor://localhost`, have no origin of their own by the URL standard.
  return origin === 'null' ? website : origin;
}
