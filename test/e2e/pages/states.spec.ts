import type { Page } from '@playwright/test';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.ts';
import { addSurface, emptySurface, noteStatesAndEvents } from '../support/public-surface.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { expect, test } from '../support/playground.ts';

/** The colour schemes and languages that differ most, and widths from a small box to a large screen. */
const VARIANTS = [
  { name: 'dark, on a desktop', query: 'scheme=dark&lang=en', widths: [800, 1920], isPhone: false },
  { name: 'light, on a phone, in Arabic', query: 'scheme=light&lang=ar', widths: [360], isPhone: true },
  { name: 'dark, in a corner, in German', query: 'scheme=dark&lang=de', widths: [160, 240], isPhone: false },
] as const;
/** Higher than the content of any state, so that nothing scrolls. */
const HEIGHT = 1_600;

async function show(page: Page, name: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), name);
  await page.locator(`html[data-shown="${name}"]`).waitFor({ state: 'attached' });
}

for (const { name, query, widths, isPhone } of VARIANTS) {
  test.describe(`every state, ${name}`, () => {
    test.use({
      viewport: { width: widths[0], height: HEIGHT },
      isMobile: isPhone,
      hasTouch: isPhone,
      // Without animations each state is reached sooner.
      contextOptions: { reducedMotion: 'reduce' },
    });

    for (const tag of ['stream-viewer', 'stream-broadcaster']) {
      test(`of <${tag}> has the documented states, fits its box, and is accessible`, async ({ page, playground }) => {
        // More than a state a second, on an idle machine.
        test.setTimeout(600_000);
        await noteStatesAndEvents(page);
        await page.goto(`${playground.origin}/state.html?${query}`);
        const all = JSON.parse((await page.locator('html[data-states]').getAttribute('data-states'))!) as Record<
          string,
          string[]
        >;
        const states = Object.entries(all).filter(([state]) => state.startsWith(tag));
        expect(states.length).toBeGreaterThan(30);
        const found: string[] = [];
        // Discard the records of the tag that the page shows at first.
        await show(page, states.at(-1)![0]);
        await addSurface(page, tag, emptySurface());
        const surface = emptySurface();
        for (const [state, customStates] of states) {
          await show(page, state);
          await addSurface(page, tag, surface);
          const element = page.locator('main > *');
          for (const customState of customStates)
            expect(await element.evaluate((e, s) => e.matches(`:state(${s})`), customState)).toBe(true);
          for (const width of widths) {
            await page.setViewportSize({ width, height: HEIGHT });
            found.push(...(await page.evaluate(layoutFaults)).map((fault) => `${state}, ${width} wide: ${fault}`));
          }
          await page.setViewportSize({ width: widths[0], height: HEIGHT });
          found.push(...(await accessibilityFaults(page, 'main > *')).map((fault) => `${state}: ${fault}`));
        }
        expect(found).toEqual([]);

        // The documented names are exactly those of the tag.
        const documented = (await analyzeTags()).find(({ name }) => name === tag)!;
        for (const kind of ['slots', 'parts', 'cssProperties', 'states'] as const) {
          expect([...surface[kind]].toSorted(), kind).toEqual(documented[kind].map((member) => member.name).toSorted());
        }
        // These states cause only some of the events.
        const events = new Set(documented.events.map((member) => member.name));
        expect([...surface.events].filter((name) => !events.has(name))).toEqual([]);
        expect(surface.events.size).toBeGreaterThan(3);
      });
    }
  });
}
