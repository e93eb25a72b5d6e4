import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run(context: string, options: object): Promise<AxeResults>;
}

/** The violations that axe finds in the elements that match the selectors. */
export async function accessibilityFaults(page: Page, selectors = 'html'): Promise<readonly string[]> {
  // As a script of the test, which the policy of the page does not refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(
    async ({ selectors, runOnly }) => {
      const { axe } = window as unknown as { axe: Axe };
      const { violations, passes } = await axe.run(selectors, { runOnly });
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
      return passes.length > 0 ? found : ['axe found no element to check'];
    },
    { selectors, runOnly: TAGS },
  );
}
