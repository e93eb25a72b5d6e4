import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Value } from './changes.js';
import type { Control } from './control.js';

/**
 * The input field of a control. Text that is not committed yet stays in the field when the page renders.
 *
 * @param value the current value; as text if the kind of the control is `shown`
 * @param change called with the new value, or with undefined for the initial value
 */
export function controlField(
  id: string,
  control: Control,
  value: Value | undefined,
  change: (value: Value | undefined) => void,
): TemplateResult {
  const text = (): string => String(value ?? '');
  switch (control.kind) {
    case 'check':
    case 'provider':
    case 'media':
      return html`<input
        id=${id}
        type="checkbox"
        .checked=${live(value === true)}
        @change=${({ target }: Event) => change((target as HTMLInputElement).checked)}
      />`;
    case 'choice':
      return html`<select id=${id} @change=${({ target }: Event) => change((target as HTMLSelectElement).value)}>
        ${control.choices.map((choice) => html`<option .selected=${live(choice === text())}>${choice}</option>`)}
      </select>`;
    case 'number':
      return html`<input
        id=${id}
        type="number"
        step="any"
        .value=${text()}
        @change=${({ target }: Event) => {
          const { valueAsNumber } = target as HTMLInputElement;
          change(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
        }}
      />`;
    case 'messages':
      return html`<textarea
        id=${id}
        rows="2"
        spellcheck="false"
        placeholder='{ "live": "On air" }'
        .value=${text()}
        @change=${({ target }: Event) => change((target as HTMLTextAreaElement).value.trim() || undefined)}
      ></textarea>`;
    case 'text':
      return html`<input
        id=${id}
        type="text"
        autocomplete="off"
        spellcheck="false"
        .value=${text()}
        @change=${({ target }: Event) => change((target as HTMLInputElement).value.trim())}
      />`;
    case 'shown':
    case 'called':
      return html`<output id=${id}>${text()}</output>`;
  }
}

/** The field of a custom property. Colours have a colour picker. */
export function styleField(
  id: string,
  initial: string,
  value: string,
  change: (value: string) => void,
): TemplateResult {
  const set = ({ target }: Event): void => change((target as HTMLInputElement).value.trim());
  return initial.startsWith('#')
    ? html`<input id=${id} type="color" .value=${sixDigits(value || initial)} @input=${set} />`
    : html`<input id=${id} type="text" spellcheck="false" placeholder=${initial} .value=${value} @change=${set} />`;
}

/** A button that is on or off. */
export const chip = (content: unknown, isOn: boolean, toggle: (isOn: boolean) => void, more = ''): TemplateResult =>
  html`<button type="button" class="chip ${more}" aria-pressed=${isOn} @click=${() => toggle(!isOn)}>
    ${content}
  </button>`;

/** The description from the manifest. */
export const described = (description: string): TemplateResult | typeof nothing =>
  description ? html`<small>${prose(description)}</small>` : nothing;

/** Text in which backticks mark code. */
export const prose = (markdown: string): unknown[] =>
  markdown.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** The six-digit form of a colour, which colour pickers need. */
const sixDigits = (colour: string): string => colour.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');
