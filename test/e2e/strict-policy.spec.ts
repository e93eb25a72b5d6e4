import { expect, test } from './support/test.ts';

/** What docs/embedding.md asks of a page's policy, and nothing besides. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const BODY = `<!doctype html>
  <script type="module" src="/streamgate.js"></script>
  <stream-viewer controls account-id="main" stream-name="nothing"></stream-viewer>
  <stream-broadcaster stream-name="nothing" token="none"></stream-broadcaster>`;

test('both tags hold to a policy without anything inline, and with trusted types', async ({ page, server }) => {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      violations.push(`${violatedDirective}: ${sample}`),
    );
  });
  await page.route(`${server.origin}/strict`, (route) =>
    route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': POLICY }, body: BODY }),
  );
  await page.goto(`${server.origin}/strict`);
  const viewer = page.locator('stream-viewer');
  const said = viewer.getByText('Nothing is live here');
  await expect(said).toBeVisible();
  // The style sheets were let in, too.
  expect(await said.evaluate((element) => getComputedStyle(element.closest('.cover')!).position)).toBe('absolute');
  await expect(page.locator('stream-broadcaster').getByText('Go live')).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'violations') as string[])).toEqual([]);
  // Playwright looks into the tags as well. (What a script sets by `element.style` is an attribute, too, and allowed.)
  await expect(page.locator('style')).toHaveCount(0);
  // The policy was in force: what is not in it is turned away.
  const markup = () => {
    try {
      document.createElement('div').innerHTML = '<p>';
      return 'let in';
    } catch (error) {
      return (error as Error).name;
    }
  };
  expect(await page.evaluate(markup)).toBe('TypeError');
});
