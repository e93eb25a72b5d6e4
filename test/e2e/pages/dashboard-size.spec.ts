import { pageNames, pathOf } from '../../../src/pages/dashboard/routes.ts';
import { openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

/** Bytes of JavaScript with gzip: what the first page waits for, and the most of any page. */
const MOST_AT_FIRST = 60_000;
const MOST_OF_A_PAGE = 120_000;

test('every page of the dashboard loads within its budget of JavaScript', async ({ page, server }) => {
  await openDashboard(page, server);
  const sizes: Record<string, number> = {};
  for (const name of pageNames) {
    await page.goto(server.origin + pathOf(name));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.name)
        .filter((url) => url.endsWith('.js')),
    );
    const bytes = await Promise.all([...new Set(scripts)].map(gzipBytesOf));
    sizes[name] = bytes.reduce((sum, size) => sum + size, 0);
  }
  test.info().annotations.push({ type: 'bytes', description: JSON.stringify(sizes) });
  const { home, ...others } = sizes;
  expect(home, JSON.stringify(sizes)).toBeGreaterThan(MOST_AT_FIRST / 4);
  expect(home, JSON.stringify(sizes)).toBeLessThanOrEqual(MOST_AT_FIRST);
  for (const size of Object.values(others)) expect(size, JSON.stringify(sizes)).toBeLessThanOrEqual(MOST_OF_A_PAGE);
});

/** Small files are sent as they are. */
async function gzipBytesOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}
