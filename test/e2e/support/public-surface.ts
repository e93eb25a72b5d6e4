import type { Page } from '@playwright/test';

/** The slots, parts, custom properties, states and events that a tag had while it was shown. */
export interface PublicSurface {
  readonly slots: Set<string>;
  readonly parts: Set<string>;
  readonly cssProperties: Set<string>;
  readonly states: Set<string>;
  readonly events: Set<string>;
}

export const emptySurface = (): PublicSurface => ({
  slots: new Set(),
  parts: new Set(),
  cssProperties: new Set(),
  states: new Set(),
  events: new Set(),
});

/** Records which custom states elements set, and which events they dispatch. Call it before the page is opened. */
export async function noteStatesAndEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded = { states: [] as string[], events: [] as { tag: string; type: string }[] };
    Object.assign(window, { recorded });
    const { add } = CustomStateSet.prototype;
    CustomStateSet.prototype.add = function (name) {
      recorded.states.push(name);
      return add.call(this, name);
    };
    const { dispatchEvent } = EventTarget.prototype;
    EventTarget.prototype.dispatchEvent = function (event) {
      // The page of states simulates pointer and key events.
      const isOwn = this instanceof HTMLElement && !(event instanceof UIEvent);
      if (isOwn) recorded.events.push({ tag: this.localName, type: event.type });
      return dispatchEvent.call(this, event);
    };
  });
}

/** Adds what the tag has at present. */
export async function addSurface(page: Page, tag: string, surface: PublicSurface): Promise<void> {
  const found = await page.evaluate((tag) => {
    const root = document.querySelector(tag)!.shadowRoot!;
    const sheets = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
    const styles = [...root.querySelectorAll('[style]')].map((element) => element.getAttribute('style')!);
    const { states, events } = Reflect.get(window, 'recorded') as {
      states: string[];
      events: { tag: string; type: string }[];
    };
    return {
      slots: [...root.querySelectorAll('slot')].map(({ name }) => name),
      parts: [...root.querySelectorAll('[part]')].flatMap(({ part }) => Array.from(part)),
      cssProperties: [...sheets, ...styles].flatMap((text) =>
        [...text.matchAll(/var\((--stream-[\w-]+)/g)].map(([, name]) => name!),
      ),
      states: states.splice(0),
      events: events.splice(0).flatMap((event) => (event.tag === tag ? [event.type] : [])),
    };
  }, tag);
  for (const kind of ['slots', 'parts', 'cssProperties', 'states', 'events'] as const) {
    for (const name of found[kind]) surface[kind].add(name);
  }
}
