import type { Page } from '@playwright/test';

/** What a tag was seen to have, while it was shown. */
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

/** Before the page is opened: notes which custom states its elements set, and which events they send. */
export async function noteStatesAndEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { states: [] as string[], events: [] as { tag: string; type: string }[] };
    Object.assign(window, { noted });
    const { add } = CustomStateSet.prototype;
    CustomStateSet.prototype.add = function (name) {
      noted.states.push(name);
      return add.call(this, name);
    };
    const { dispatchEvent } = EventTarget.prototype;
    EventTarget.prototype.dispatchEvent = function (event) {
      // Those of a pointer or a key are the states' own, which move a mouse.
      const isOwn = this instanceof HTMLElement && !(event instanceof UIEvent);
      if (isOwn) noted.events.push({ tag: this.localName, type: event.type });
      return dispatchEvent.call(this, event);
    };
  });
}

/** Adds what the tag has now, whatever wrote it there. */
export async function addSurface(page: Page, tag: string, seen: PublicSurface): Promise<void> {
  const found = await page.evaluate((tag) => {
    const root = document.querySelector(tag)!.shadowRoot!;
    const sheets = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
    const styles = [...root.querySelectorAll('[style]')].map((element) => element.getAttribute('style')!);
    const { states, events } = Reflect.get(window, 'noted') as {
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
    for (const name of found[kind]) seen[kind].add(name);
  }
}
