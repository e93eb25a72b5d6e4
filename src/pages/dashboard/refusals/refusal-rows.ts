import { html, nothing, type TemplateResult } from 'lit';
import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { RefusalBody, RefusalGroupBody } from '../../../wire/management/refusal.js';
import { dateTimeText } from '../formatting.js';
import { tokenPath } from '../token-path.js';
import { tokenWord } from '../token-word.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import type { PageTexts } from '../page-context.js';
import { cureAction } from './cure-dialog.js';
import { cureOf, type Cure } from './refusal-cure.js';
import type { RefusalFilter } from './refusals-state.js';

/** The number of viewers, addresses or countries of the token is not enough for these. */
const EDITED: ReadonlySet<string> = new Set(['token_full', 'address_not_bound', 'country_not_allowed']);

/** A newer server can have reasons that this page does not know. */
const sentenceOf = (reason: string, { reasons }: RefusalsMessages): string =>
  (reasons as Readonly<Record<string, string>>)[reason] ?? reason;

const tokenText = (
  { tokenId, tokenLabel }: Pick<RefusalBody, 'tokenId' | 'tokenLabel'>,
  { messages, common }: Pick<PageTexts<RefusalsMessages>, 'messages' | 'common'>,
): string => (tokenId === null ? messages.noToken : messages.token(tokenWord({ tokenId, tokenLabel }, common)));

/** Nothing of a token that does not exist: there was one. */
const tokenFact = (
  refused: Pick<RefusalBody, 'tokenId' | 'tokenLabel' | 'reason'>,
  texts: Pick<PageTexts<RefusalsMessages>, 'messages' | 'common'>,
): TemplateResult | typeof nothing =>
  refused.tokenId === null && refused.reason === 'token_unknown'
    ? nothing
    : html`<span>${tokenText(refused, texts)}</span>`;

interface CureActions {
  readonly isBusy: boolean;
  /** Undefined: the person may not change tokens. */
  readonly onCure: ((cure: Cure) => void) | undefined;
}

interface GroupActions extends CureActions {
  readonly onShow: (filter: RefusalFilter) => void;
}

/** Refusals for the same reason, of the same token, from the same website. */
export function refusalGroup(
  group: RefusalGroupBody,
  { onShow, ...cures }: GroupActions,
  { messages, common, language }: PageTexts<RefusalsMessages>,
): TemplateResult {
  const { kind, reason, tokenId, origin, refusals, firstOn, lastOn } = group;
  const sentence = sentenceOf(reason, messages);
  const token = tokenText(group, { messages, common });
  const time = (date: string): string => dateTimeText(date, language, 'medium');
  const known = ruleRefusalCode.safeParse(reason);
  return html`
    <li>
      <div>
        <h3>${sentence}</h3>
        <p class="facts soft">
          <strong>${messages.count(refusals.toLocaleString(language))}</strong>
          <span>${kind === 'publish' ? messages.toPublish : messages.toWatch}</span>
          ${tokenFact(group, { messages, common })} ${origin ? html`<span dir="ltr">${origin}</span>` : nothing}
          <span>${firstOn === lastOn ? time(lastOn) : messages.between(time(firstOn), time(lastOn))}</span>
        </p>
      </div>
      <div class="actions">
        ${
          known.success && tokenId !== null
            ? html`<button
                aria-label=${messages.showThese(sentence, token)}
                @click=${() => onShow({ reason: known.data, streamName: '', tokenId })}
              >
                ${messages.show}
              </button>`
            : nothing
        }
        ${cureButton(group, cures, { messages, common })}
      </div>
    </li>
  `;
}

/** The change of the token that would have admitted. */
export function cureButton(
  refused: Parameters<typeof cureOf>[0],
  { isBusy, onCure }: CureActions,
  { messages, common }: Pick<PageTexts<RefusalsMessages>, 'messages' | 'common'>,
): TemplateResult | typeof nothing {
  if (!onCure) return nothing;
  const cure = cureOf(refused);
  if (!cure) return editLink(refused, { messages, common });
  const action = cureAction(cure, messages);
  return html`
    <button
      ?disabled=${isBusy}
      aria-label=${`${action}: ${tokenText(refused, { messages, common })}`}
      @click=${() => onCure(cure)}
    >
      ${action}
    </button>
  `;
}

/** For reasons of which only the person knows what to change. */
function editLink(
  refused: Parameters<typeof cureOf>[0],
  { messages, common }: Pick<PageTexts<RefusalsMessages>, 'messages' | 'common'>,
): TemplateResult | typeof nothing {
  const { kind, tokenId, reason } = refused;
  if (tokenId === null || !EDITED.has(reason)) return nothing;
  const path = tokenPath({ kind, id: tokenId }, location.search);
  return html`<a class="button" href=${path}>${messages.editToken(tokenText(refused, { messages, common }))}</a>`;
}

/** One request that was refused. */
export function refusalRow(
  refusal: RefusalBody,
  { onExplain, ...cures }: CureActions & { readonly onExplain: () => void },
  { messages, common, language }: PageTexts<RefusalsMessages>,
): TemplateResult {
  const { streamName, reason, kind, origin, address, namedAccount } = refusal;
  const time = dateTimeText(refusal.time, language, 'medium');
  return html`
    <li>
      <div>
        <h2 class="entry"><bdi>${streamName}</bdi></h2>
        <p>${sentenceOf(reason, messages)}</p>
        <p class="facts soft">
          <time datetime=${refusal.time}>${time}</time>
          <span>${kind === 'publish' ? messages.toPublish : messages.toWatch}</span>
          ${tokenFact(refusal, { messages, common })} ${origin ? html`<span dir="ltr">${origin}</span>` : nothing}
          ${address ? html`<span dir="ltr">${address}</span>` : nothing}
          ${namedAccount ? html`<span>${messages.unknownAccount(namedAccount)}</span>` : nothing}
        </p>
      </div>
      <div class="actions">
        ${cureButton(refusal, cures, { messages, common })}
        <button ?disabled=${cures.isBusy} aria-label=${messages.explainThis(streamName, time)} @click=${onExplain}>
          ${messages.explain}
        </button>
      </div>
    </li>
  `;
}
