import { layoutFaults } from '../e2e/support/layout-faults.ts';
import { outline } from '../e2e/support/outline.ts';
import { expectText } from './page-queries.ts';
import { playPicturesOnly } from './play-pictures-only.js';
import { COLOURS, COLOURS_AND_SIZES, expect, faultsIn, LOOKS, test } from './test.ts';

/** It has no video. */
const FIRST = 'stream-viewer/no stream chosen';

/** Each state in each of them, with what depends on the engine. The tests in Chromium have the other rules. */
const LOOKS_OF_TAGS = [
  { name: 'light', look: { scheme: 'light', lang: 'en', width: 800 }, rules: COLOURS },
  { name: 'dark-phone', look: { scheme: 'dark', lang: 'ar', width: 390 }, rules: COLOURS_AND_SIZES },
] as const;

for (const tag of ['stream-viewer', 'stream-broadcaster']) {
  test(`every state of <${tag}> in WebKit has its custom states, fits its box, and can be read`, async ({
    light: browser,
    playground,
  }) => {
    test.setTimeout(600_000);
    // As small as the largest look: pictures take long.
    await browser.resize(800, 900);
    await browser.goto(`${playground.origin}/state.html#${FIRST}`);
    await browser.addScript(`(${playPicturesOnly.toString()})()`);
    const named = () => browser.evaluate(() => document.documentElement.dataset['states'] ?? null, undefined);
    await expect.poll(named, { intervals: [30] }).not.toBe(null);
    const all = JSON.parse((await named())!);
    const states = Object.entries<string[]>(all).filter(([name]) => name.startsWith(tag));
    expect(states.length).toBeGreaterThan(30);
    const found: string[] = [];
    const checked = new Set<string>();
    for (const [state, customStates] of states) {
      await browser.evaluate((hash) => void (location.hash = hash), state);
      const isShown = (wanted: string) => document.documentElement.dataset['shown'] === wanted;
      await expect.poll(() => browser.evaluate(isShown, state), { message: state, intervals: [30] }).toBe(true);
      const lacks = await browser.evaluate((wanted) => {
        const tag = document.querySelector('main > *')!;
        return wanted.filter((one) => !tag.matches(`:state(${one})`));
      }, customStates);
      const structure = await browser.evaluate(outline, undefined);
      const isNew = !checked.has(structure);
      checked.add(structure);
      const faults = lacks.map((one) => `lacks :state(${one})`);
      for (const { name, look, rules } of LOOKS_OF_TAGS) {
        await browser.evaluate((one) => window.changeLook(one), look);
        faults.push(...(await browser.evaluate(layoutFaults, undefined)).map((fault) => `${name}: ${fault}`));
        const file = `${state.replaceAll(/\W+/g, '-')}-${name}`;
        if (isNew) faults.push(...(await faultsIn(browser, file, rules, 'main > *')));
      }
      found.push(...faults.map((fault) => `${state}: ${fault}`));
    }
    await browser.resize(1280, 900);
    expect(found).toEqual([]);
  });
}

for (const { name, lang, rules, isDark } of LOOKS) {
  test(`the playground in WebKit shows the tags, ${name}`, async ({ light, dark, playground }) => {
    const browser = isDark ? dark : light;
    await browser.goto(`${playground.origin}/?lang=${lang}`);
    await expectText(browser, 'stream-broadcaster');
    expect(await faultsIn(browser, `${name}-playground`, rules)).toEqual([]);
  });
}
