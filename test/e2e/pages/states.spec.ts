import type { Page } from '@playwright/test';
import type { Look } from '../../../demo/states/state-page.ts';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.ts';
import { accessibilityFaults, COLOURS, SIZES } from '../support/accessibility-faults.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { outline } from '../support/outline.ts';
import { expect, test } from '../support/playground.ts';
import { addSurface, emptySurface, noteStatesAndEvents } from '../support/public-surface.ts';

/** Higher than the content of any state, so that nothing scrolls. */
const HEIGHT = 1_600;
/** Only a stream that is recorded has these parts: rewind.spec.ts. */
const TIMELINE = new Set([
  'timeline',
  'timeline-slider',
  'timeline-time',
  'timeline-preview',
  'speed',
  'go-live',
  'from-beginning',
]);
const TAGS = ['stream-viewer', 'stream-broadcaster'] as const;

interface Check extends Look {
  /** The rules that axe checks, of each outline once. All, if absent. */
  readonly rules?: readonly string[];
}

async function show(page: Page, name: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), name);
  await page.locator(`html[data-shown="${name}"]`).waitFor({ state: 'attached' });
}

/** The states of a tag by name, each with the custom states that it has. */
async function statesOf(page: Page, tag: string): Promise<readonly [name: string, customStates: readonly string[]][]> {
  const all = JSON.parse((await page.locator('html[data-states]').getAttribute('data-states'))!);
  const states = Object.entries<string[]>(all).filter(([name]) => name.startsWith(tag));
  expect(states.length).toBeGreaterThan(30);
  return states;
}

/** What is wrong in the shown state with each of these looks. */
async function faultsOf(page: Page, checked: Set<string>, looks: readonly Check[]): Promise<string[]> {
  const structure = await page.evaluate(outline);
  const isNew = !checked.has(structure);
  checked.add(structure);
  const found: string[] = [];
  for (const { rules, ...look } of looks) {
    const where = Object.values(look).join(' ');
    await page.evaluate((one) => window.changeLook(one), look);
    const faults = await page.evaluate(layoutFaults);
    if (isNew && rules?.length !== 0) faults.push(...(await accessibilityFaults(page, 'main > *', rules)));
    found.push(...faults.map((fault) => `${where}: ${fault}`));
  }
  return found;
}

test.describe('every state', () => {
  test.describe('with a mouse, from a small box to a large screen, in English and German', () => {
    // Without animations each state is reached sooner.
    test.use({ viewport: { width: 1_920, height: HEIGHT }, contextOptions: { reducedMotion: 'reduce' } });

    for (const tag of TAGS) {
      test(`of <${tag}> has the documented states, fits its box, and is accessible`, async ({ page, playground }) => {
        test.setTimeout(600_000);
        await noteStatesAndEvents(page);
        await page.goto(`${playground.origin}/state.html`);
        const states = await statesOf(page, tag);
        // Discard the records of the tag that the page shows at first.
        await show(page, states.at(-1)![0]);
        await addSurface(page, tag, emptySurface());
        const surface = emptySurface();
        const found: string[] = [];
        const checked = new Set<string>();
        for (const [state, customStates] of states) {
          await show(page, state);
          await addSurface(page, tag, surface);
          const lacks = await page
            .locator('main > *')
            .evaluate((element, names) => names.filter((name) => !element.matches(`:state(${name})`)), customStates);
          const faults = await faultsOf(page, checked, [
            { scheme: 'dark', lang: 'en', width: 1_920, rules: [] },
            { scheme: 'dark', lang: 'de', width: 240, rules: [] },
            { scheme: 'dark', lang: 'de', width: 160, rules: SIZES },
            { scheme: 'dark', lang: 'en', width: 800 },
          ]);
          found.push(...[...lacks.map((name) => `lacks :state(${name})`), ...faults].map((one) => `${state}: ${one}`));
        }
        expect(found).toEqual([]);

        // The documented names are exactly those of the tag.
        const documented = (await analyzeTags()).find(({ name }) => name === tag)!;
        for (const kind of ['slots', 'parts', 'cssProperties', 'states'] as const) {
          // A broadcaster has another part `go-live`.
          const isTimeline = (name: string) => tag === 'stream-viewer' && TIMELINE.has(name);
          const names = documented[kind].map((member) => member.name).filter((name) => !isTimeline(name));
          expect([...surface[kind]].toSorted(), kind).toEqual(names.toSorted());
        }
        // These states cause only some of the events.
        const events = new Set(documented.events.map((member) => member.name));
        expect([...surface.events].filter((name) => !events.has(name))).toEqual([]);
        expect(surface.events.size).toBeGreaterThan(3);
      });
    }
  });

  test.describe('on a phone, in Arabic', () => {
    test.use({
      viewport: { width: 360, height: HEIGHT },
      isMobile: true,
      hasTouch: true,
      contextOptions: { reducedMotion: 'reduce' },
    });

    for (const tag of TAGS) {
      test(`of <${tag}> fits its box, and can be read and touched`, async ({ page, playground }) => {
        test.setTimeout(600_000);
        await page.goto(`${playground.origin}/state.html?scheme=light&lang=ar`);
        const found: string[] = [];
        const checked = new Set<string>();
        for (const [state] of await statesOf(page, tag)) {
          await show(page, state);
          const look = { scheme: 'light', lang: 'ar', rules: [...COLOURS, ...SIZES] };
          const faults = await faultsOf(page, checked, [look]);
          found.push(...faults.map((fault) => `${state}: ${fault}`));
        }
        expect(found).toEqual([]);
      });
    }
  });
});
