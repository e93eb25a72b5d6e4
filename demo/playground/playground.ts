import { html, render, type TemplateResult } from 'lit';
import { tags } from 'virtual:tags';
import '../../src/define.js';
import { isLanguage, languages, type Language } from '../languages.js';
import { TagPlayground, type Mode } from './tag-playground.js';

/** The viewer is first: most pages have only a viewer. */
const shown = tags.toSorted((a, b) => b.name.localeCompare(a.name));
const page = document.documentElement;

const MODES: readonly (readonly [Mode, string])[] = [
  ['simulated', 'Simulated'],
  ['server', 'My server'],
];
const SCHEMES = [
  ['light dark', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

let mode: Mode = 'simulated';
let scheme: string = SCHEMES[0][0];
let language: Language = 'en';

function show(): void {
  page.style.colorScheme = scheme;
  render(
    html`
      ${picks('Service', MODES, mode, (value) => (mode = value))}
      ${picks('Colours', SCHEMES, scheme, (value) => (scheme = value))}
      <label class="language"
        >Language<select @change=${chooseLanguage}>
          ${Object.entries(languages).map(([code, { name }]) => html`<option value=${code} lang=${code}>${name}</option>`)}
        </select></label
      >
    `,
    document.querySelector<HTMLElement>('#choices')!,
  );
  render(
    html`${mode === 'server' ? html`<p class="hint">Run <code>npm start</code> in another terminal, and use tokens of its dashboard.</p>` : ''}
    ${shown.map((tag) => html`<tag-playground .tag=${tag} .mode=${mode} .language=${language}></tag-playground>`)}`,
    document.querySelector('main')!,
  );
}

function picks<Value extends string>(
  legend: string,
  choices: readonly (readonly [Value, string])[],
  chosen: Value,
  choose: (value: Value) => void,
): TemplateResult {
  return html`<fieldset class="pick">
    <legend>${legend}</legend>
    ${choices.map(
      ([value, label]) =>
        html`<label
          ><input
            type="radio"
            name=${legend}
            .checked=${value === chosen}
            @change=${() => {
              choose(value);
              show();
            }}
          />${label}</label
        >`,
    )}
  </fieldset>`;
}

async function chooseLanguage({ target }: Event): Promise<void> {
  const { value } = target as HTMLSelectElement;
  if (!isLanguage(value)) return;
  await languages[value].load();
  language = value;
  show();
}

customElements.define('tag-playground', TagPlayground);
show();
