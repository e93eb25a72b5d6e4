import { sceneTrack } from '../simulation/generated-tracks.js';
import { concert } from '../simulation/scenes.js';
import { MARK, type Changes, type Value } from './changes.js';
import type { Control } from './control.js';

/** Makes a tag what somebody has made of it; what they took back is as it was at first. */
export class TagEditor {
  readonly #tag: HTMLElement;
  readonly #knobs: readonly Control[];
  readonly #initial: ReadonlyMap<string, unknown>;
  readonly #worn = new Map<string, Value>();
  #styled = new Set<string>();

  constructor(tag: HTMLElement, knobs: readonly Control[]) {
    this.#tag = tag;
    this.#knobs = knobs;
    this.#initial = new Map(knobs.map(({ property }) => [property, Reflect.get(tag, property)]));
  }

  /** How it is where nobody says otherwise. */
  initial(property: string): unknown {
    return this.#initial.get(property);
  }

  /** @throws {SyntaxError} the words are no JSON */
  apply({ properties, lang, slots, styles }: Changes): void {
    for (const knob of this.#knobs) {
      const { property } = knob;
      const value = properties.get(property);
      if (value === this.#worn.get(property)) continue;
      if (value === undefined) this.#worn.delete(property);
      else this.#worn.set(property, value);
      Reflect.set(this.#tag, property, value === undefined ? this.#initial.get(property) : given(knob, value));
    }
    this.#tag.lang = lang;
    this.#fill(slots);
    for (const name of this.#styled) if (!styles.has(name)) this.#tag.style.removeProperty(name);
    for (const [name, value] of styles) this.#tag.style.setProperty(name, value);
    this.#styled = new Set(styles.keys());
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

/** What marks parts and states, as style sheets say it. */
export function marks(tag: string, { markedParts, markedStates }: Changes): string {
  const selectors = [
    ...[...markedParts].map((part) => `${tag}::part(${part})`),
    ...[...markedStates].map((state) => `${tag}:state(${state})`),
  ];
  return selectors.map((selector) => `${selector} { outline: ${MARK} !important; outline-offset: -3px; }`).join('\n');
}

function given({ kind }: Control, value: Value): unknown {
  switch (kind) {
    case 'words':
      return JSON.parse(String(value));
    case 'provider':
      return value ? async () => 'a-token-of-the-page' : undefined;
    case 'media':
      return value ? new MediaStream([sceneTrack(concert)]) : null;
    default:
      return value;
  }
}

const SAID = 'WEBVTT\n\n00:00.000 --> 10:00:00.000\nGood evening, and welcome.';

function inSlot(slot: string): Element {
  if (slot !== '') return Object.assign(document.createElement('p'), { slot });
  return Object.assign(document.createElement('track'), {
    kind: 'captions',
    srclang: 'en',
    src: URL.createObjectURL(new Blob([SAID], { type: 'text/vtt' })),
  });
}
