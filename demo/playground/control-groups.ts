import { html, nothing, type TemplateResult } from 'lit';
import type { Named, Tag } from '../../scripts/editor-data/tag.ts';
import { withEntry, withName, type Changes, type Value } from './changes.js';
import { chip, controlField, described, prose, styleField } from './control-field.js';
import type { Control } from './control.js';
import { shown } from './event-log.js';

/** Arguments for methods that need them. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  addTextTrack: ['captions', 'English', 'en'],
  requestVideoFrameCallback: [() => {}],
  cancelVideoFrameCallback: [0],
};

export interface ControlGroupsContext {
  readonly tag: Tag;
  readonly element: HTMLElement;
  readonly controls: readonly Control[];
  readonly changes: Changes;
  /** How often each event was sent. */
  readonly counts: ReadonlyMap<string, number>;
  /** The value of a property before any change. */
  readonly initial: (property: string) => unknown;
  readonly change: (some: Partial<Changes>) => void;
  /** @param call the call as text */
  readonly call: (name: string, values: readonly unknown[], call: string) => void;
}

/** Groups of controls for everything that the manifest has of a tag. */
export class ControlGroups {
  readonly #context: ControlGroupsContext;

  constructor(context: ControlGroupsContext) {
    this.#context = context;
  }

  render(): TemplateResult {
    const { controls, tag } = this.#context;
    const settable = controls.filter(({ kind }) => kind !== 'shown' && kind !== 'called');
    const attributes = settable.filter(({ attribute }) => attribute);
    const properties = settable.filter(({ attribute }) => !attribute);
    const readable = controls.filter(({ kind }) => kind === 'shown');
    return html`
      ${group('Attributes', attributes, (control) => this.#control(control), true)}
      ${group('Properties', properties, (control) => this.#control(control))}
      ${group('Slots', tag.slots, (slot) => this.#slot(slot))}
      ${group('Custom properties', tag.cssProperties, (property) => this.#style(property))}
      ${group('Parts', tag.parts, (part) => this.#part(part))}
      ${group('States', tag.states, (state) => this.#state(state))}
      ${group('Methods', this.#methods, (method) => this.#method(method))}
      ${group('Events', tag.events, (event) => this.#event(event))}
      ${group('Read-only properties', readable, (control) => this.#readOnly(control))}
    `;
  }

  #control(control: Control): TemplateResult {
    const { property, attribute, description } = control;
    const { tag, changes, initial, change } = this.#context;
    const id = `${tag.name}-${property}`;
    const isChanged = changes.properties.has(property);
    const value = changes.properties.get(property) ?? plain(initial(property));
    const name = attribute && attribute !== property ? html`<code>${attribute}</code>, ` : nothing;
    const set = (next: Value | undefined): void => {
      const isInitial = next === plain(initial(property));
      change({ properties: withEntry(changes.properties, property, isInitial ? undefined : next) });
    };
    return html`<div
      class="control ${isChanged ? 'changed' : ''}"
      data-name=${attribute ?? property}
      data-property=${property}
    >
      <label for=${id}>${name}<code>${property}</code></label>
      ${controlField(id, control, value, set)}${described(description)}
    </div>`;
  }

  #readOnly({ property, description }: Control): TemplateResult {
    return html`<div class="control" data-name=${property} data-property=${property}>
      <span><code>${property}</code></span>
      <output class="value">${shown(Reflect.get(this.#context.element, property))}</output>${described(description)}
    </div>`;
  }

  #slot({ name, description }: Named): TemplateResult {
    const { tag, changes, change } = this.#context;
    const id = `${tag.name}-slot-${name}`;
    return html`<div class="control ${changes.slots.has(name) ? 'changed' : ''}" data-name=${name || '(default)'}>
      <label for=${id}><code>${name || '(default)'}</code></label>
      <input
        id=${id}
        type="text"
        placeholder=${name ? 'your text' : 'name of a caption track'}
        .value=${changes.slots.get(name) ?? ''}
        @input=${({ target }: Event) => {
          const { value } = target as HTMLInputElement;
          change({ slots: withEntry(changes.slots, name, value || undefined) });
        }}
      />${described(description)}
    </div>`;
  }

  #style({ name, description, ...more }: Tag['cssProperties'][number]): TemplateResult {
    const { tag, changes, change } = this.#context;
    const id = `${tag.name}${name}`;
    const value = changes.styles.get(name) ?? '';
    return html`<div class="control ${value ? 'changed' : ''}" data-name=${name}>
      <label for=${id}><code>${name}</code></label>
      ${styleField(id, more.default ?? '', value, (next) =>
        change({ styles: withEntry(changes.styles, name, next || undefined) }),
      )}${described(description)}
    </div>`;
  }

  #part({ name, description }: Named): TemplateResult {
    const { change, changes } = this.#context;
    return html`<div class="control" data-name=${name}>
      ${chip(html`<code>${name}</code>`, changes.markedParts.has(name), (isOn) =>
        change({ markedParts: withName(changes.markedParts, name, isOn) }),
      )}${described(description)}
    </div>`;
  }

  #state({ name, description }: Named): TemplateResult {
    const { element, change, changes } = this.#context;
    const isActive = element.matches(`:state(${name})`);
    return html`<div class="control" data-name=${name}>
      ${chip(
        html`<code>${name}</code>${isActive ? html` <span class="badge">now</span>` : nothing}`,
        changes.markedStates.has(name),
        (isOn) => change({ markedStates: withName(changes.markedStates, name, isOn) }),
      )}${described(description)}
    </div>`;
  }

  get #methods(): readonly Named[] {
    const { tag, controls } = this.#context;
    const called = controls.filter(({ kind }) => kind === 'called');
    return [...tag.methods, ...called.map(({ property: name, description }) => ({ name, description }))];
  }

  #method({ name, description }: Named): TemplateResult {
    const values = ARGUMENTS[name] ?? [];
    const call = `${name}(${values.map((value) => (typeof value === 'function' ? '() => {}' : JSON.stringify(value)?.replaceAll('"', "'"))).join(', ')})`;
    return html`<div class="control" data-name=${name}>
      <button type="button" class="chip" @click=${() => this.#context.call(name, values, call)}>
        <code>${call}</code></button
      >${described(description)}
    </div>`;
  }

  #event({ name, description, type }: Tag['events'][number]): TemplateResult {
    const { change, changes, counts } = this.#context;
    const count = counts.get(name) ?? 0;
    return html`<div class="control" data-name=${name}>
      ${chip(
        html`<code>${name}</code>${count > 0 ? html` <span class="badge">${count}</span>` : nothing}`,
        changes.loggedEvents.has(name),
        (isOn) => change({ loggedEvents: withName(changes.loggedEvents, name, isOn) }),
      )}
      <small>${type === 'Event' ? '' : html`<code>${type}</code>: `}${prose(description)}</small>
    </div>`;
  }
}

function group<Entry>(
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

/** The value if a field can show it. Undefined otherwise. */
function plain(value: unknown): Value | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
