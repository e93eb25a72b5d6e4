import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Value } from './changes.js';
import type { Control } from './control.js';

/**
 * What a value is given with. What is being written is not yet the value, and stays until it is.
 *
 * @param value the present one; of what is only shown, in words
 * @param give undefined: as it was at first
 */
export function controlField(
  id: string,
  knob: Control,
  value: Value | undefined,
  give: (value: Value | undefined) => void,
): TemplateResult {
  const text = (): string => String(value ?? '');
  switch (knob.kind) {
    case 'check':
    case 'provider':
    case 'media':
      return html`<input
        id=${id}
        type="checkbox"
        .checked=${live(value === true)}
        @change=${({ target }: Event) => give((target as HTMLInputElement).checked)}
      />`;
    case 'choice':
      return html`<select id=${id} @change=${({ target }: Event) => give((target as HTMLSelectElement).value)}>
        ${knob.choices.map((choice) => html`<option .selected=${live(choice === value)}>${choice}</option>`)}
      </select>`;
    case 'number':
      return html`<input
        id=${id}
        type="number"
        step="any"
        .value=${text()}
        @change=${({ target }: Event) => {
          const { valueAsNumber } = target as HTMLInputElement;
          give(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
        }}
      />`;
    case 'words':
      return html`<textarea
        id=${id}
        rows="2"
        spellcheck="false"
        placeholder='{ "live": "On air" }'
        .value=${text()}
        @change=${({ target }: Event) => give((target as HTMLTextAreaElement).value.trim() || undefined)}
      ></textarea>`;
    case 'text':
      return html`<input
        id=${id}
        type="text"
        autocomplete="off"
        spellcheck="false"
        .value=${text()}
        @change=${({ target }: Event) => give((target as HTMLInputElement).value.trim())}
      />`;
    case 'shown':
    case 'called':
      return html`<output id=${id}>${text()}</output>`;
  }
}

/** A custom property: a colour where it is one at first. */
export function styleField(id: string, initial: string, value: string, give: (value: string) => void): TemplateResult {
  const set = ({ target }: Event): void => give((target as HTMLInputElement).value.trim());
  return initial.startsWith('#')
    ? html`<input id=${id} type="color" .value=${sixDigits(value || initial)} @input=${set} />`
    : html`<input id=${id} type="text" spellcheck="false" placeholder=${initial} .value=${value} @change=${set} />`;
}

/** Something that is on or off, and says so. */
export const chip = (content: unknown, isOn: boolean, toggle: (isOn: boolean) => void, more = ''): TemplateResult =>
  html`<button type="button" class="chip ${more}" aria-pressed=${isOn} @click=${() => toggle(!isOn)}>
    ${content}
  </button>`;

/** What the manifest says of something. */
export const said = (description: string): TemplateResult | typeof nothing =>
  description ? html`<small>${prose(description)}</small>` : nothing;

/** Text with code between backticks. */
export const prose = (markdown: string): unknown[] =>
  markdown.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** The only way in which a field for colours takes one. */
const sixDigits = (colour: string): string => colour.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');
