import type { Page } from 'playwright';

/** What a tag is seen to have, in the tree behind it. */
export interface Anatomy {
  readonly slots: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
  readonly cssProperties: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
}

/** Looks into the tags of `demo/state.html` in each of their states: whatever wrote a name there, it is found. */
export async function anatomyOf(page: Page, origin: string, tag: string): Promise<Anatomy> {
  await page.goto(`${origin}/state.html?scheme=dark&lang=en`);
  const all = await page.locator('html[data-states]').getAttribute('data-states');
  const seen = { slots: new Set<string>(), parts: new Set<string>(), cssProperties: new Set<string>() };
  const states = new Set<string>();
  for (const [name, holding] of Object.entries<string[]>(JSON.parse(all!))) {
    if (!name.startsWith(`${tag}/`)) continue;
    for (const state of holding) states.add(state);
    await page.evaluate((hash) => (location.hash = hash), name);
    await page.locator(`html[data-shown="${name}"]`).waitFor({ state: 'attached', timeout: 30_000 });
    const found = await page.evaluate(namesIn, tag);
    for (const kind of ['slots', 'parts', 'cssProperties'] as const) for (const one of found[kind]) seen[kind].add(one);
  }
  return { ...seen, states };
}

/** Runs in the page, where no function of this file is: not even the one that tsx adds to those with a name. */
function namesIn(tag: string) {
  const root = document.querySelector(tag)!.shadowRoot!;
  const sheets = root.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
  const styles = [...root.querySelectorAll('[style]')].map((element) => element.getAttribute('style')!);
  return {
    slots: [...root.querySelectorAll('slot')].map(({ name }) => name),
    parts: [...root.querySelectorAll('[part]')].flatMap(({ part }) => [...part]),
    cssProperties: [...sheets, ...styles].flatMap((text) =>
      [...text.matchAll(/var\((--stream-[\w-]+)/g)].map(([, name]) => name!),
    ),
  };
}
