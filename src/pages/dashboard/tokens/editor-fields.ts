import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { TokenBody } from '../../../wire/management/token.js';
import type { FieldFault } from './draft-faults.js';
import { foldedFields, type FoldedField, type FoldedToken } from './folded-fields.js';
import { listText } from '../formatting.js';
import { durationUnits, type TokenDraft, type TokenField } from './token-draft.js';
import type { TokensMessages } from './messages/tokens-messages.js';
import { tokenFacts, type TokenTexts } from './token-facts.js';

export interface EditedToken extends FoldedToken {
  /** The token as it is saved. Undefined: it is new. */
  readonly base: TokenBody | undefined;
}

interface Editing {
  readonly texts: TokenTexts;
  /** Whether the rules that few tokens have are shown. */
  readonly isMoreOpen: boolean;
  readonly onToggleMore: (isOpen: boolean) => void;
  readonly onInput: (change: Partial<TokenDraft>) => void;
  readonly onUseTheirs: (field: TokenField) => void;
}

type TextKey = {
  [Key in keyof TokenDraft]: string extends TokenDraft[Key] ? Key : never;
}[keyof TokenDraft];

/** The fields of a token: each with its rule in a sentence, and what is wrong with it. */
export function editorFields(edited: EditedToken, editing: Editing): TemplateResult {
  const { draft, kind } = edited;
  const { messages } = editing.texts;
  const field = (name: TokenField, content: TemplateResult): TemplateResult => html`
    <div class="field">
      ${content}
      <p class="soft hint" id="hint-${name}">${messages.hints[name]}</p>
      ${fieldFault(name, edited.faults[name], editing)} ${theirs(name, edited, editing)}
    </div>
  `;
  const text = (name: TokenField, key: TextKey, { label, isCode }: { label: string; isCode: boolean }) => html`
    <label
      >${label}
      <input
        name=${key}
        autocomplete="off"
        spellcheck="false"
        dir=${isCode ? 'ltr' : 'auto'}
        .value=${draft[key]}
        aria-invalid=${name in edited.faults ? 'true' : 'false'}
        aria-describedby=${describedBy(name, edited)}
        @input=${onText(key, editing)}
      />
    </label>
  `;
  const lines = (name: TokenField, key: TextKey, label: string) => html`
    <label
      >${label}
      <textarea
        name=${key}
        rows="2"
        autocomplete="off"
        spellcheck="false"
        dir=${key === 'names' ? 'auto' : 'ltr'}
        .value=${draft[key]}
        aria-invalid=${name in edited.faults ? 'true' : 'false'}
        aria-describedby=${describedBy(name, edited)}
        @input=${onText(key, editing)}
      ></textarea>
    </label>
  `;
  const check = (name: TokenField, key: 'needsToken' | 'record', label: string) => html`
    <label class="choice"
      ><input
        type="checkbox"
        name=${key}
        .checked=${draft[key]}
        aria-describedby=${describedBy(name, edited)}
        @change=${({ target }: Event) => editing.onInput({ [key]: (target as HTMLInputElement).checked })}
      />
      <span>${label}</span></label
    >
  `;
  const folded: Readonly<Record<FoldedField, () => TemplateResult>> = {
    places: () =>
      html`<div class="pair">
        ${text('places', 'maxSessions', { label: messages.maxSessions, isCode: true })}
        ${select('whenFull', messages.whenFull, ['refuse', 'displace'], edited, editing, messages.whenFullChoices)}
      </div>`,
    origins: () => lines('origins', 'origins', messages.websites),
    addresses: () =>
      html`<div class="pair">
        ${select('addressRule', messages.addresses, ['list', 'bind'], edited, editing, messages.addressRules)}
        ${
          draft.addressRule === 'list'
            ? lines('addresses', 'addresses', messages.addressList)
            : text('addresses', 'bindCount', { label: messages.bindCount, isCode: true })
        }
      </div>`,
    deniedAddresses: () => lines('deniedAddresses', 'deniedAddresses', messages.deniedAddresses),
    allowedCountries: () =>
      text('allowedCountries', 'allowedCountries', { label: messages.allowedCountries, isCode: true }),
    deniedCountries: () =>
      text('deniedCountries', 'deniedCountries', { label: messages.deniedCountries, isCode: true }),
  };
  const names = foldedFields(edited);
  const contents = names.filter((name) => !name.startsWith('denied')).map((name) => fieldName(name, messages));
  return html`
    ${field('label', text('label', 'label', { label: messages.label, isCode: false }))}
    ${field(
      'streams',
      html`<div class="pair">
        ${lines('streams', 'names', messages.names)} ${lines('streams', 'patterns', messages.patterns)}
      </div>`,
    )}
    ${field('expiry', expiryFields(edited, editing, text))}
    ${
      kind === 'publish'
        ? html`${field('viewers', check('viewers', 'needsToken', editing.texts.common.needsToken))}
          ${field(
            'recording',
            html`${check('recording', 'record', messages.record)}
            ${draft.record || draft.retentionDays ? text('recording', 'retentionDays', { label: messages.retentionDays, isCode: true }) : nothing}`,
          )}`
        : nothing
    }
    <details
      class="more"
      .open=${live(editing.isMoreOpen)}
      @toggle=${({ currentTarget }: Event) => editing.onToggleMore((currentTarget as HTMLDetailsElement).open)}
    >
      <summary>${messages.moreRules} <span class="soft">${listText(contents, editing.texts.language)}</span></summary>
      <div class="fields">${names.map((name) => field(name, folded[name]()))}</div>
    </details>
  `;
}

/** What people call a field of the form. */
export function fieldName(name: TokenField, messages: TokensMessages): string {
  const names: Readonly<Record<TokenField, string>> = {
    label: messages.label,
    streams: messages.streams,
    origins: messages.websites,
    addresses: messages.addresses,
    deniedAddresses: messages.deniedAddresses,
    allowedCountries: messages.allowedCountries,
    deniedCountries: messages.deniedCountries,
    expiry: messages.expiresOn,
    viewers: messages.viewers,
    recording: messages.recording,
    places: messages.maxSessions,
  };
  return names[name];
}

function expiryFields(
  edited: EditedToken,
  editing: Editing,
  text: (name: TokenField, key: TextKey, texts: { label: string; isCode: boolean }) => TemplateResult,
): TemplateResult {
  const { base, draft } = edited;
  const { messages } = editing.texts;
  const choices = base ? (['keep', 'never', 'date', 'duration'] as const) : (['never', 'date', 'duration'] as const);
  return html`
    <div class="pair">
      ${select('expiry', messages.expiresOn, choices, edited, editing, {
        ...messages.expiryChoices,
        keep: base ? messages.expiryKept(factOf(base, 'expiry', editing.texts)) : '',
      })}
      ${
        draft.expiry === 'date'
          ? html`<label
              >${messages.expiryDate}
              <input
                type="datetime-local"
                name="expiryDate"
                .value=${draft.expiryDate}
                aria-invalid=${'expiry' in edited.faults ? 'true' : 'false'}
                aria-describedby=${describedBy('expiry', edited)}
                @input=${onText('expiryDate', editing)}
              />
            </label>`
          : nothing
      }
      ${
        draft.expiry === 'duration'
          ? html`<div class="pair">
              ${text('expiry', 'duration', { label: messages.duration, isCode: true })}
              ${select('durationUnit', messages.unit, durationUnits, edited, editing, messages.units)}
            </div>`
          : nothing
      }
    </div>
  `;
}

function select<Key extends 'expiry' | 'durationUnit' | 'addressRule' | 'whenFull'>(
  key: Key,
  label: string,
  choices: readonly TokenDraft[Key][],
  { draft }: EditedToken,
  { onInput }: Editing,
  names: Readonly<Record<TokenDraft[Key], string>>,
): TemplateResult {
  return html`
    <label
      >${label}
      <select
        name=${key}
        @change=${({ target }: Event) => onInput({ [key]: choices[(target as HTMLSelectElement).selectedIndex] })}
      >
        ${choices.map((choice) => html`<option value=${choice} .selected=${draft[key] === choice}>${names[choice]}</option>`)}
      </select>
    </label>
  `;
}

function onText(key: TextKey, { onInput }: Editing): (event: Event) => void {
  return ({ target }) => onInput({ [key]: (target as HTMLInputElement | HTMLTextAreaElement).value });
}

const describedBy = (name: TokenField, { faults }: EditedToken): string =>
  name in faults ? `fault-${name} hint-${name}` : `hint-${name}`;

function fieldFault(name: TokenField, fault: FieldFault | undefined, { texts }: Editing): TemplateResult {
  return html`
    <p class="error" id="fault-${name}" aria-live="polite">
      ${fault?.entry === undefined ? nothing : html`<bdi>${fault.entry}</bdi>: `}
      ${fault ? html`<span lang=${ifDefined(fault.message && 'en')}>${fault.message ?? texts.messages.faults[name]}</span>` : nothing}
    </p>
  `;
}

/** What somebody else has saved in the field, with the choice to take it. */
function theirs(name: TokenField, { base, conflicts }: EditedToken, { texts, onUseTheirs }: Editing) {
  if (!base || !conflicts.includes(name)) return nothing;
  return html`
    <div class="theirs" role="group" aria-label=${texts.messages.theirs}>
      <p>${texts.messages.theirs} <bdi>${name === 'label' ? base.label : factOf(base, name, texts)}</bdi></p>
      <button type="button" @click=${() => onUseTheirs(name)}>${texts.messages.useTheirs}</button>
    </div>
  `;
}

const factOf = (token: TokenBody, name: TokenField, texts: TokenTexts): string =>
  tokenFacts(token, texts)
    .find(({ field }) => field === name)
    ?.values.join(', ') ?? '';
