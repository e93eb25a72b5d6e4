import { expect, test } from '../support/test.ts';

test.describe('a hosted page', () => {
  test.use({ locale: 'de-AT' });

  test("uses the visitor's language", async ({ page, server, tokens }) => {
    await page.goto(`${server.origin}/viewer?streamId=main/nothing`);
    await expect(page.locator('stream-viewer').getByText('Warten auf den Stream')).toBeVisible();
    await page.goto(`${server.origin}/broadcaster?streamName=nothing#token=${await tokens.publish('nothing')}`);
    await expect(page.locator('stream-broadcaster').getByText('Live gehen')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Teilen' })).toBeVisible();
  });

  test("explains a wrong address in the visitor's language", async ({ page, server }) => {
    await page.goto(`${server.origin}/viewer`);
    await expect(page.getByRole('heading', { name: 'Kein Stream ausgewählt' })).toBeVisible();
    await page.goto(`${server.origin}/broadcaster?lang=ar`);
    await expect(page.getByRole('heading', { name: 'هذا الرابط غير مكتمل' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  });

  test('uses the language and writing direction that its address names', async ({ page, server }) => {
    await page.goto(`${server.origin}/viewer?streamId=main/nothing&lang=ar`);
    const notice = page.locator('stream-viewer').getByText('في انتظار البث');
    await expect(notice).toBeVisible();
    expect(await notice.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });
});

test('a page with a script tag uses a language that it loads separately', async ({ page, server }) => {
  const body = `<!doctype html>
    <html lang="fr">
      <script type="module" src="/i18n/fr.js"></script>
      <script type="module" src="/streamgate.js"></script>
      <stream-viewer autoplay account-id="main" stream-name="nothing"></stream-viewer>
    </html>`;
  await page.route(`${server.origin}/customer`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${server.origin}/customer`);
  await expect(page.locator('stream-viewer').getByText('En attente du direct')).toBeVisible();
});
