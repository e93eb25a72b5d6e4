import { html, nothing, type TemplateResult } from 'lit';
import { confirmation } from '../dialog-contents.js';
import type { PageChanges } from '../page-changes.js';
import { tokenWord } from '../token-word.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import type { PageTexts } from '../page-context.js';
import type { Cure } from './refusal-cure.js';

/** The question before a token is changed so that it admits. */
export interface CureQuestion {
  readonly name: 'cure';
  readonly cure: Cure;
  /** What can be chosen, the latest first. Empty: nothing has to be. */
  readonly values: readonly string[];
}

interface CureActions {
  readonly changes: PageChanges;
  readonly onChoose: (value: string) => void;
  readonly onConfirm: () => void;
}

/** The words of the button. A change for as long as somebody chooses has the same words before and after. */
export function cureAction({ name, value }: Cure, { cureNames, cures }: RefusalsMessages): string {
  return value ? cures[name].action(value) : cureNames[name];
}

/** Says what the change does, and asks for what the refusals leave open. */
export function cureDialog(
  { cure, values }: CureQuestion,
  { changes, onChoose, onConfirm }: CureActions,
  texts: PageTexts<RefusalsMessages>,
): TemplateResult {
  const { messages, common } = texts;
  const token = messages.token(tokenWord(cure, common));
  const shown = (value: string) => (cure.name === 'extend' ? (messages.extensions[value] ?? value) : value);
  const choice = html`
    <div class="fields">
      <label
        >${messages.which}
        <select @change=${({ target }: Event) => onChoose((target as HTMLSelectElement).value)}>
          ${values.map((value) => html`<option value=${value} ?selected=${value === cure.value}>${shown(value)}</option>`)}
        </select>
      </label>
    </div>
  `;
  return confirmation(
    {
      title: `${token}: ${messages.cureNames[cure.name]}`,
      effect: messages.cures[cure.name].effect(cure.value ?? ''),
      details: values.length > 1 ? choice : nothing,
      action: cureAction(cure, messages),
    },
    { changes, common, onConfirm },
  );
}
