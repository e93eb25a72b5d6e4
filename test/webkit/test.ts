import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { axe, axeFaults, COLOURS, SIZES } from '../e2e/support/accessibility-faults.ts';
import { test as base } from '../e2e/support/playground.ts';
import { WebKitBrowser } from './webkit-browser.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../test-results/webkit-screenshots');

export const COLOURS_AND_SIZES = [...COLOURS, ...SIZES];

/** The first has everything that axe checks; the second has what differs: colours, sizes, and the writing direction. */
export const LOOKS = [
  { name: 'desktop', lang: 'en', isDark: false, rules: undefined },
  { name: 'dark-phone', lang: 'ar', isDark: true, rules: COLOURS_AND_SIZES },
] as const;

interface WorkerFixtures {
  /** A WebKit in light colours, as wide as a desktop. */
  light: WebKitBrowser;
  /** A WebKit in dark colours, as wide as a phone. */
  dark: WebKitBrowser;
}

/** The fixtures of the end-to-end tests, and two WebKits, which start when they are needed. */
export const test = base.extend<object, WorkerFixtures>({
  light: [
    async ({}, use) => {
      const browser = await WebKitBrowser.launch();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  dark: [
    async ({}, use) => {
      const browser = await WebKitBrowser.launch({ isDark: true, width: 390, height: 844 });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** Waits until a page of the dashboard has read what it shows. */
export async function settled(browser: WebKitBrowser): Promise<void> {
  const isReady = () => document.querySelector('h1') !== null && !document.querySelector('p.soft[role=status]');
  await expect.poll(() => browser.evaluate(isReady, undefined)).toBe(true);
}

/**
 * Keeps a picture of the page in `test-results/webkit-screenshots`, and returns what is wrong in it: what axe finds, a page
 * or a dialog that scrolls sideways, English that runs from right to left, and errors in the console.
 */
export async function faultsIn(
  browser: WebKitBrowser,
  name: string,
  rules?: readonly string[],
  selectors = 'html',
): Promise<string[]> {
  await browser.evaluate(async () => {
    // A picture has what the window showed last, and a frame is shown some frames later.
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  }, undefined);
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `${name}.png`), await browser.screenshot());
  if (!(await browser.evaluate(() => 'axe' in window, undefined))) await browser.addScript(axe);
  const found = [...(await axeFaults(browser, selectors, rules))];
  found.push(...(await browser.evaluate(misplacedParts, undefined)));
  return [...found, ...faultsInConsole(browser)].map((fault) => `${name}: ${fault}`);
}

/** Runs in the page. */
function misplacedParts(): string[] {
  const boxes = [document.documentElement, ...document.querySelectorAll('dialog')];
  const english = [...document.querySelectorAll('[lang=en]:not(option)')];
  return [
    ...boxes
      .filter((box) => box.scrollWidth > box.clientWidth)
      .map((box) => `<${box.localName}> is ${box.scrollWidth} pixels wide, and has ${box.clientWidth}`),
    ...english
      .filter((one) => getComputedStyle(one).direction !== 'ltr')
      .map(({ textContent }) => `this runs from right to left: ${textContent}`),
  ];
}

/** A refused request is a fault of the console in every browser. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d|is refused: /;

function faultsInConsole(browser: WebKitBrowser): string[] {
  return browser.takeConsole().filter((line) => /ERROR|WARN/.test(line) && !EXPECTED.test(line));
}

export { COLOURS, expect };
