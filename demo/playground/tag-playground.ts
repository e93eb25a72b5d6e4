import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Tag } from '../../scripts/editor-data/tag.ts';
import type { Language } from '../languages.js';
import { sendCue } from '../simulation/cues.js';
import { devices, type DeviceScenario } from '../simulation/devices.js';
import { simulatedEndpoint } from '../simulation/scenario.js';
import { UNCHANGED, withEntry, type Changes, type Value } from './changes.js';
import { codeSample } from './code-sample.js';
import { prose } from './control-field.js';
import { ControlGroups } from './control-groups.js';
import { controlsOf, type Control } from './control.js';
import { EventLog, shown } from './event-log.js';
import { CUES, DEVICES, SCENARIOS, type Choice } from './scenarios.js';
import { markStyles, TagEditor } from './tag-editor.js';

export type Mode = 'simulated' | 'server';

const WIDTHS = ['100%', '640px', '360px', '160px'];

/** The initial properties, with which the tag shows something. */
const PRESETS: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'stream-viewer': { controls: true, autoplay: true, accountId: 'main', streamName: 'keynote' },
  'stream-broadcaster': { streamName: 'keynote', token: 'your-token' },
};

/** A tag with controls for everything in its manifest. It has no shadow root, so that the styles of the page apply. */
export class TagPlayground extends LitElement {
  @property({ attribute: false }) tag!: Tag;
  @property({ attribute: false }) mode: Mode = 'simulated';
  @property({ attribute: false }) language: Language = 'en';

  @state() private changes: Changes = UNCHANGED;
  @state() private scenario = 'live';
  @state() private devices: DeviceScenario = 'not-asked';
  @state() private width = WIDTHS[0]!;
  @state() private wasCopied = false;
  /** The result of the last method call, or the last error. */
  @state() private message = '';

  #controls: readonly Control[] = [];
  #element!: LitElement;
  #editor!: TagEditor;
  readonly #log = new EventLog();
  /** Aborts when the element is replaced. */
  #listening = new AbortController();
  readonly #markSheet = new CSSStyleSheet();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.adoptedStyleSheets.push(this.#markSheet);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#markSheet);
    this.#listening.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('tag')) {
      this.#controls = controlsOf(this.tag);
      this.#reset();
    } else if (changed.has('mode')) this.#replaceElement();
    if (changed.has('language')) this.changes = { ...this.changes, lang: this.language };
    this.#apply();
  }

  protected override render(): TemplateResult {
    const { name, description } = this.tag;
    const code = codeSample(name, this.#controls, this.changes);
    const groups = new ControlGroups({
      tag: this.tag,
      element: this.#element,
      controls: this.#controls,
      changes: this.changes,
      counts: this.#log.counts,
      initial: (one) => this.#editor.initial(one),
      change: (changes) => this.#change(changes),
      call: (method, values, call) => void this.#call(method, values, call),
    });
    return html`
      <section aria-labelledby=${name}>
        <h2 id=${name}><code>&lt;${name}&gt;</code></h2>
        <p class="lead">${prose(description)}</p>
        <div class="bench">
          <div class="front">
            ${this.#toolbar}
            <div class="stage"><div class="tag-width" style="width: ${this.width}">${this.#element}</div></div>
            ${this.mode === 'simulated' ? this.#simulation : nothing}
            <p class="message" role="status">${this.message}</p>
            <div class="code">
              <div class="row">
                <h3>Code for your page</h3>
                <button type="button" @click=${() => this.#copy(code)}>${this.wasCopied ? 'Copied' : 'Copy'}</button>
              </div>
              <pre tabindex="0" aria-label="Code"><code>${code}</code></pre>
            </div>
            ${this.#events}
          </div>
          <div class="controls">${groups.render()}</div>
        </div>
      </section>
    `;
  }

  get #toolbar(): TemplateResult {
    const name = `${this.tag.name}-width`;
    return html`<div class="row">
      <fieldset class="pick">
        <legend>Width</legend>
        ${WIDTHS.map(
          (width) =>
            html`<label
              ><input
                type="radio"
                name=${name}
                .checked=${width === this.width}
                @change=${() => (this.width = width)}
              />${width === '100%' ? 'full' : width.replace('px', '')}</label
            >`,
        )}
      </fieldset>
      <button type="button" @click=${() => this.#replaceElement()}>Restart</button>
      <button type="button" @click=${() => this.#reset()}>Undo all</button>
    </div>`;
  }

  /** What the simulated service and devices do. */
  get #simulation(): TemplateResult {
    const { name } = this.tag;
    return html`<div class="simulation">
      ${this.#select(`${name}-scenario`, 'Scenario', SCENARIOS[name]!, this.scenario, (value) => {
        this.scenario = value;
        this.#replaceElement();
      })}
      ${
        name === 'stream-broadcaster'
          ? this.#select(`${name}-devices`, 'Camera and microphone', DEVICES, this.devices, (value) => {
              this.devices = value;
              this.#replaceElement();
            })
          : nothing
      }
      <div class="cues" role="group" aria-label="What happens next">
        ${CUES[name]!.map(
          ([one, label]) => html`<button type="button" class="chip" @click=${() => sendCue(one)}>${label}</button>`,
        )}
      </div>
    </div>`;
  }

  #select<Value extends string>(
    id: string,
    label: string,
    choices: readonly Choice<Value>[],
    chosen: Value,
    choose: (value: Value) => void,
  ): TemplateResult {
    return html`<label for=${id}
      >${label}<select id=${id} @change=${({ target }: Event) => choose((target as HTMLSelectElement).value as Value)}>
        ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`)}
      </select></label
    >`;
  }

  get #events(): TemplateResult {
    return html`<div class="log">
      <div class="row">
        <h3>Events</h3>
        <button
          type="button"
          @click=${() => {
            this.#log.clear();
            this.requestUpdate();
          }}
        >
          Clear
        </button>
      </div>
      <ol tabindex="0" aria-label="Events of ${this.tag.name}, the newest first">
        ${this.#log.entries.map(
          ({ at, name, fields }) => html`<li><time>${at}</time> <b>${name}</b> <span>${fields}</span></li>`,
        )}
      </ol>
    </div>`;
  }

  #change(changes: Partial<Changes>): void {
    this.changes = { ...this.changes, ...changes };
    this.wasCopied = false;
  }

  #reset(): void {
    const properties = new Map(Object.entries(PRESETS[this.tag.name] ?? {}));
    this.changes = { ...UNCHANGED, properties, lang: this.language };
    this.scenario = 'live';
    this.width = WIDTHS[0]!;
    this.#log.clear();
    this.#replaceElement();
  }

  #replaceElement(): void {
    this.#listening.abort();
    this.#listening = new AbortController();
    if (this.tag.name === 'stream-broadcaster') devices.scenario = this.mode === 'server' ? 'real' : this.devices;
    this.#element = document.createElement(this.tag.name) as LitElement;
    this.#editor = new TagEditor(this.#element, this.#controls);
    const names = this.tag.events.map(({ name }) => name);
    this.#log.listen(this.#element, names, () => void this.#showStates(), this.#listening.signal);
    this.message = '';
    this.requestUpdate();
  }

  /** Renders states and read-only values again after an event. The tag has its new states once it has updated. */
  async #showStates(): Promise<void> {
    await this.#element.updateComplete;
    this.requestUpdate();
  }

  #apply(): void {
    const { properties } = this.changes;
    const endpoint = this.mode === 'simulated' ? simulatedEndpoint(this.scenario) : undefined;
    const all = endpoint ? withEntry<string, Value>(properties, 'endpoint', endpoint) : properties;
    try {
      this.#editor.apply({ ...this.changes, properties: all });
      this.#markSheet.replaceSync(markStyles(this.tag.name, this.changes));
    } catch (error) {
      this.message = String(error);
    }
  }

  async #call(name: string, values: readonly unknown[], call: string): Promise<void> {
    this.#change({ called: call });
    try {
      const result: unknown = await Reflect.apply(Reflect.get(this.#element, name), this.#element, values);
      this.message = `${call} → ${shown(result)}`;
    } catch (error) {
      this.message = `${call} → ${String(error)}`;
    }
  }

  async #copy(code: string): Promise<void> {
    this.wasCopied = await navigator.clipboard.writeText(code).then(
      () => true,
      () => false,
    );
    if (!this.wasCopied) this.message = 'The browser does not allow this button to copy. Select the code and copy it.';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tag-playground': TagPlayground;
  }
}
