import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import type { Scripted } from './pages.ts';

export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose result depends on colours, and on sizes. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];
export const SIZES = ['target-size', 'scrollable-region-focusable'];

interface Axe {
  run(context: string, options: object): Promise<AxeResults>;
}

/**
 * The violations that axe finds in the elements that match the selectors.
 * @param rules those to check. All, if absent
 */
export async function accessibilityFaults(
  page: Page,
  selectors = 'html',
  rules?: readonly string[],
): Promise<readonly string[]> {
  // As a script of the test, which the policy of the page does not refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return axeFaults(page, selectors, rules);
}

/** The same, in a page that has axe already. */
export async function axeFaults(
  page: Scripted,
  selectors = 'html',
  rules?: readonly string[],
): Promise<readonly string[]> {
  return page.evaluate(
    async ({ selectors, runOnly, isPart }) => {
      const { axe } = window as unknown as { axe: Axe };
      const { violations, passes } = await axe.run(selectors, { runOnly, resultTypes: ['violations', 'passes'] });
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
      return passes.length > 0 || isPart ? found : ['axe found no element to check'];
    },
    { selectors, runOnly: rules ?? TAGS, isPart: rules !== undefined },
  );
}

/**
 * The same as `accessibilityFaults`, in both schemes. The other rules do not depend on colours, and are checked once. On a
 * phone, the page must also be no wider than the window.
 */
export async function faultsInBothSchemes(page: Page): Promise<readonly string[]> {
  const found = [...(await accessibilityFaults(page)), ...(await widthFaults(page))];
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [first, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await page.emulateMedia({ colorScheme: other });
  found.push(...(await accessibilityFaults(page, 'html', COLOURS)).map((fault) => `${other}: ${fault}`));
  await page.emulateMedia({ colorScheme: first });
  return found;
}

/** Says how wide the page is, if it is wider than the window. */
export async function widthFaults(page: Page): Promise<readonly string[]> {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
  return wide > window ? [`the page is ${wide} pixels wide, and the window ${window}`] : [];
}
