import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Named, Tag } from '../../scripts/editor-data/tag.ts';
import type { Language } from '../languages.js';
import { devices, type DeviceScenario } from '../simulation/devices.js';
import { sendCue } from '../simulation/cues.js';
import { simulatedEndpoint } from '../simulation/scenario.js';
import { UNCHANGED, withEntry, withName, type Changes, type Value } from './changes.js';
import { TagEditor, marks } from './tag-editor.js';
import { EventLog, shown } from './event-log.js';
import { chip, controlField, prose, said, styleField } from './control-field.js';
import { controlsOf, type Control } from './control.js';
import { codeSample } from './code-sample.js';
import { CUES, DEVICES, SCENARIOS, type Choice } from './scenarios.js';

export type Mode = 'simulated' | 'server';

const WIDTHS = ['100%', '640px', '360px', '160px'];
const LOOK_EVERY_MS = 300;

/** What there is to begin with: enough to see something. */
const BEGINNING: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'stream-viewer': { controls: true, autoplay: true, accountId: 'main', streamName: 'keynote' },
  'stream-broadcaster': { streamName: 'keynote', token: 'your-token' },
};

/** What a method is called with, where it wants something. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  addTextTrack: ['captions', 'English', 'en'],
  requestVideoFrameCallback: [() => {}],
  cancelVideoFrameCallback: [0],
};

/** One tag, and all that can be done with it: made of what the custom elements manifest says. In the page's own styles. */
export class TagPlayground extends LitElement {
  @property({ attribute: false }) tag!: Tag;
  @property({ attribute: false }) mode: Mode = 'simulated';
  @property({ attribute: false }) language: Language = 'en';

  @state() private changes: Changes = UNCHANGED;
  @state() private situation = 'live';
  @state() private devices: DeviceScenario = 'not-asked';
  @state() private width = WIDTHS[0]!;
  @state() private wasCopied = false;
  /** What went wrong last, by hand or by a method. */
  @state() private trouble = '';

  #knobs: readonly Control[] = [];
  #element!: HTMLElement;
  #dresser!: TagEditor;
  #log = new EventLog();
  #life = new AbortController();
  #looking: ReturnType<typeof setInterval> | undefined;
  #seen = '';
  readonly #marks = new CSSStyleSheet();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.adoptedStyleSheets.push(this.#marks);
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#marks);
    clearInterval(this.#looking);
    this.#life.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('tag')) {
      this.#knobs = controlsOf(this.tag);
      this.#reset();
    } else if (changed.has('mode')) this.#begin();
    if (changed.has('language')) this.changes = { ...this.changes, lang: this.language };
    this.#dress();
  }

  protected override render(): TemplateResult {
    const { name, description, events, slots, cssProperties, parts, states } = this.tag;
    const settable = this.#knobs.filter(({ kind }) => kind !== 'shown' && kind !== 'called');
    const code = codeSample(name, this.#knobs, this.changes);
    return html`
      <section aria-labelledby=${name}>
        <h2 id=${name}><code>&lt;${name}&gt;</code></h2>
        <p class="lead">${prose(description)}</p>
        <div class="bench">
          <div class="front">
            ${this.#toolbar}
            <div class="stage"><div class="place" style="width: ${this.width}">${this.#element}</div></div>
            ${this.mode === 'simulated' ? this.#script : nothing}
            <p class="trouble" role="status">${this.trouble}</p>
            <div class="code">
              <div class="row">
                <h3>Code for your page</h3>
                <button type="button" @click=${() => this.#copy(code)}>${this.wasCopied ? 'Copied' : 'Copy'}</button>
              </div>
              <pre tabindex="0" aria-label="Code"><code>${code}</code></pre>
            </div>
            ${this.#heard}
          </div>
          <div class="knobs">
            ${this.#group(
              'Attributes',
              settable.filter(({ attribute }) => attribute),
              (knob) => this.#knob(knob),
              true,
            )}
            ${this.#group(
              'Properties',
              settable.filter(({ attribute }) => !attribute),
              (knob) => this.#knob(knob),
            )}
            ${this.#group('Slots', slots, (slot) => this.#slot(slot))}
            ${this.#group('Custom properties', cssProperties, (one) => this.#style(one))}
            ${this.#group('Parts', parts, (part) => this.#part(part))}
            ${this.#group('States', states, (one) => this.#state(one))}
            ${this.#group('Methods', this.#methods, (method) => this.#method(method))}
            ${this.#group('Events', events, (event) => this.#event(event))}
            ${this.#group(
              'To read',
              this.#knobs.filter(({ kind }) => kind === 'shown'),
              (knob) => this.#reading(knob),
            )}
          </div>
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
      <button type="button" @click=${() => this.#begin()}>Begin anew</button>
      <button type="button" @click=${() => this.#reset()}>Undo all</button>
    </div>`;
  }

  /** What the service does, and what happens next: it is only played. */
  get #script(): TemplateResult {
    const { name } = this.tag;
    return html`<div class="script">
      ${this.#select(`${name}-situation`, 'What is played', SCENARIOS[name]!, this.situation, (value) => {
        this.situation = value;
        this.#begin();
      })}
      ${
        name === 'stream-broadcaster'
          ? this.#select(`${name}-devices`, 'Camera and microphone', DEVICES, this.devices, (value) => {
              this.devices = value;
              this.#begin();
            })
          : nothing
      }
      <div class="cues" role="group" aria-label="What happens next">
        ${CUES[name]!.map(
          ([one, words]) => html`<button type="button" class="chip" @click=${() => sendCue(one)}>${words}</button>`,
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
        ${choices.map(([value, words]) => html`<option value=${value} .selected=${value === chosen}>${words}</option>`)}
      </select></label
    >`;
  }

  #group<Entry>(
    title: string,
    entries: readonly Entry[],
    row: (entry: Entry) => TemplateResult,
    isOpen = false,
  ): TemplateResult {
    return html`<details class="group" ?open=${isOpen}>
      <summary>${title} <span class="count">${entries.length}</span></summary>
      <ul>
        ${entries.map((entry) => html`<li>${row(entry)}</li>`)}
      </ul>
    </details>`;
  }

  #knob(knob: Control): TemplateResult {
    const { property, attribute, description } = knob;
    const id = `${this.tag.name}-${property}`;
    const isChanged = this.changes.properties.has(property);
    const value = this.changes.properties.get(property) ?? plain(this.#dresser.initial(property));
    const name = attribute && attribute !== property ? html`<code>${attribute}</code>, ` : nothing;
    return html`<div class="knob ${isChanged ? 'changed' : ''}" data-name=${attribute ?? property}>
      <label for=${id}>${name}<code>${property}</code></label>
      ${controlField(id, knob, value, (given) => this.#give(knob, given))}${said(description)}
    </div>`;
  }

  #reading({ property, description }: Control): TemplateResult {
    return html`<div class="knob" data-name=${property}>
      <span><code>${property}</code></span>
      <output class="value">${shown(Reflect.get(this.#element, property))}</output>${said(description)}
    </div>`;
  }

  #slot({ name, description }: Named): TemplateResult {
    const id = `${this.tag.name}-slot-${name}`;
    return html`<div class="knob ${this.changes.slots.has(name) ? 'changed' : ''}" data-name=${name || '(default)'}>
      <label for=${id}><code>${name || '(default)'}</code></label>
      <input
        id=${id}
        type="text"
        placeholder=${name ? 'a text of your own' : 'name of a caption track'}
        .value=${this.changes.slots.get(name) ?? ''}
        @input=${({ target }: Event) => {
          const { value } = target as HTMLInputElement;
          this.#change({ slots: withEntry(this.changes.slots, name, value || undefined) });
        }}
      />${said(description)}
    </div>`;
  }

  #style({ name, description, ...more }: Tag['cssProperties'][number]): TemplateResult {
    const id = `${this.tag.name}${name}`;
    const value = this.changes.styles.get(name) ?? '';
    return html`<div class="knob ${value ? 'changed' : ''}" data-name=${name}>
      <label for=${id}><code>${name}</code></label>
      ${styleField(id, more.default ?? '', value, (given) =>
        this.#change({ styles: withEntry(this.changes.styles, name, given || undefined) }),
      )}${said(description)}
    </div>`;
  }

  #part({ name, description }: Named): TemplateResult {
    const { markedParts } = this.changes;
    return html`<div class="knob" data-name=${name}>
      ${chip(html`<code>${name}</code>`, markedParts.has(name), (isOn) =>
        this.#change({ markedParts: withName(markedParts, name, isOn) }),
      )}${said(description)}
    </div>`;
  }

  #state({ name, description }: Named): TemplateResult {
    const { markedStates } = this.changes;
    const isSo = this.#element.matches(`:state(${name})`);
    return html`<div class="knob" data-name=${name}>
      ${chip(
        html`<code>${name}</code>${isSo ? html` <span class="so">now</span>` : nothing}`,
        markedStates.has(name),
        (isOn) => this.#change({ markedStates: withName(markedStates, name, isOn) }),
      )}${said(description)}
    </div>`;
  }

  get #methods(): readonly Named[] {
    const called = this.#knobs.filter(({ kind }) => kind === 'called');
    return [...this.tag.methods, ...called.map(({ property: name, description }) => ({ name, description }))];
  }

  #method({ name, description }: Named): TemplateResult {
    const given = ARGUMENTS[name] ?? [];
    const call = `${name}(${given.map((one) => (typeof one === 'function' ? '() => {}' : JSON.stringify(one)?.replaceAll('"', "'"))).join(', ')})`;
    return html`<div class="knob" data-name=${name}>
      <button type="button" class="chip" @click=${() => this.#call(name, given, call)}><code>${call}</code></button>
      ${said(description)}
    </div>`;
  }

  #event({ name, description, type }: Tag['events'][number]): TemplateResult {
    const { heardEvents } = this.changes;
    const count = this.#log.counts.get(name) ?? 0;
    return html`<div class="knob" data-name=${name}>
      ${chip(
        html`<code>${name}</code>${count > 0 ? html` <span class="so">${count}</span>` : nothing}`,
        heardEvents.has(name),
        (isOn) => this.#change({ heardEvents: withName(heardEvents, name, isOn) }),
      )}
      <small>${type === 'Event' ? '' : html`<code>${type}</code>: `}${prose(description)}</small>
    </div>`;
  }

  get #heard(): TemplateResult {
    return html`<div class="heard">
      <div class="row">
        <h3>What it said</h3>
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
        ${this.#log.lines.map(
          ({ at, name, fields }) => html`<li><time>${at}</time> <b>${name}</b> <span>${fields}</span></li>`,
        )}
      </ol>
    </div>`;
  }

  #give({ property }: Control, value: Value | undefined): void {
    const isAsBefore = value === plain(this.#dresser.initial(property));
    this.#change({ properties: withEntry(this.changes.properties, property, isAsBefore ? undefined : value) });
  }

  #change(some: Partial<Changes>): void {
    this.changes = { ...this.changes, ...some };
    this.wasCopied = false;
  }

  #reset(): void {
    const properties = new Map(Object.entries(BEGINNING[this.tag.name] ?? {}));
    this.changes = { ...UNCHANGED, properties, lang: this.language };
    this.situation = 'live';
    this.width = WIDTHS[0]!;
    this.#log.clear();
    this.#begin();
  }

  /** Another tag in the place of the one that is there. */
  #begin(): void {
    this.#life.abort();
    this.#life = new AbortController();
    if (this.tag.name === 'stream-broadcaster') devices.scenario = this.mode === 'server' ? 'real' : this.devices;
    this.#element = document.createElement(this.tag.name);
    this.#dresser = new TagEditor(this.#element, this.#knobs);
    const names = this.tag.events.map(({ name }) => name);
    this.#log.listen(this.#element, names, () => this.requestUpdate(), this.#life.signal);
    this.trouble = '';
    this.requestUpdate();
  }

  #dress(): void {
    const { properties } = this.changes;
    const isPlayed = this.mode === 'simulated';
    const worn = isPlayed
      ? withEntry<string, Value>(properties, 'endpoint', simulatedEndpoint(this.situation))
      : properties;
    try {
      this.#dresser.apply({ ...this.changes, properties: worn });
      this.#marks.replaceSync(marks(this.tag.name, this.changes));
    } catch (error) {
      this.trouble = String(error);
    }
  }

  async #call(name: string, given: readonly unknown[], call: string): Promise<void> {
    this.#change({ called: call });
    try {
      const answer: unknown = await Reflect.apply(Reflect.get(this.#element, name), this.#element, given);
      this.trouble = `${call} → ${shown(answer)}`;
    } catch (error) {
      this.trouble = `${call} → ${String(error)}`;
    }
  }

  async #copy(code: string): Promise<void> {
    this.wasCopied = await navigator.clipboard.writeText(code).then(
      () => true,
      () => false,
    );
    if (!this.wasCopied) this.trouble = 'The browser lets nothing be copied here: mark the code and copy it by hand.';
  }

  /** States and readings are told by nobody: they are looked at, and shown when they are others. */
  #look(): void {
    const readings = this.#knobs.filter(({ kind }) => kind === 'shown').map(({ property }) => property);
    const seen = [
      ...this.tag.states.filter(({ name }) => this.#element.matches(`:state(${name})`)).map(({ name }) => name),
      ...readings.map((property) => shown(Reflect.get(this.#element, property))),
    ].join();
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.requestUpdate();
  }
}

/** As much of a value as a field can show. */
function plain(value: unknown): Value | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'tag-playground': TagPlayground;
  }
}
