import { sceneTrack } from '../simulation/generated-tracks.js';
import { concert } from '../simulation/scenes.js';
import { MARK, type Changes, type Value } from './changes.js';
import type { Control } from './control.js';

/** Applies changes to a tag. A property that is no longer changed gets its initial value. */
export class TagEditor {
  readonly #tag: HTMLElement;
  readonly #controls: readonly Control[];
  readonly #initial: ReadonlyMap<string, unknown>;
  readonly #appliedProperties = new Map<string, Value>();
  #appliedStyles = new Set<string>();

  constructor(tag: HTMLElement, controls: readonly Control[]) {
    this.#tag = tag;
    this.#controls = controls;
    this.#initial = new Map(controls.map(({ property }) => [property, Reflect.get(tag, property)]));
  }

  /** The value before any change. */
  initial(property: string): unknown {
    return this.#initial.get(property);
  }

  /** @throws {SyntaxError} the messages are not JSON */
  apply({ properties, lang, slots, styles }: Changes): void {
    for (const control of this.#controls) {
      const { property } = control;
      const value = properties.get(property);
      if (value === this.#appliedProperties.get(property)) continue;
      if (value === undefined) this.#appliedProperties.delete(property);
      else this.#appliedProperties.set(property, value);
      Reflect.set(this.#tag, property, value === undefined ? this.#initial.get(property) : valueFor(control, value));
    }
    this.#tag.lang = lang;
    this.#fill(slots);
    for (const name of this.#appliedStyles) if (!styles.has(name)) this.#tag.style.removeProperty(name);
    for (const [name, value] of styles) this.#tag.style.setProperty(name, value);
    this.#appliedStyles = new Set(styles.keys());
  }

  #fill(slots: ReadonlyMap<string, string>): void {
    for (const child of Array.from(this.#tag.children)) if (!slots.has(child.slot)) child.remove();
    for (const [slot, text] of slots) {
      const child = [...this.#tag.children].find((one) => one.slot === slot) ?? this.#tag.appendChild(inSlot(slot));
      if (child instanceof HTMLTrackElement) child.label = text;
      else child.textContent = text;
    }
  }
}

/** The style sheet that outlines the marked parts and states. */
export function markStyles(tag: string, { markedParts, markedStates }: Changes): string {
  const selectors = [
    ...[...markedParts].map((part) => `${tag}::part(${part})`),
    ...[...markedStates].map((state) => `${tag}:state(${state})`),
  ];
  return selectors.map((selector) => `${selector} { outline: ${MARK} !important; outline-offset: -3px; }`).join('\n');
}

function valueFor({ kind }: Control, value: Value): unknown {
  switch (kind) {
    case 'messages':
      return JSON.parse(String(value));
    case 'provider':
      return value ? async () => 'a-token-of-the-page' : undefined;
    case 'media':
      return value ? new MediaStream([sceneTrack(concert)]) : null;
    case 'choice':
      return value === 'true' || value === 'false' ? value === 'true' : value;
    default:
      return value;
  }
}

const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 10:00:00.000\nGood evening, and welcome.';

function inSlot(slot: string): Element {
  if (slot !== '') return Object.assign(document.createElement('p'), { slot });
  return Object.assign(document.createElement('track'), {
    kind: 'captions',
    srclang: 'en',
    src: URL.createObjectURL(new Blob([CAPTIONS], { type: 'text/vtt' })),
  });
}
