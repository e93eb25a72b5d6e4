import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bundled } from '../support/bundled.ts';
import { expect, test } from '../support/test.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/csp.md'), 'utf8');

/** The policy in docs/csp.md under this heading, with the origin of the test server. */
function policy(heading: string, origin: string): string {
  const [, text] = new RegExp(`^## ${heading}\\n[^]*?\`\`\`\\n([^]*?)\`\`\``, 'm').exec(GUIDE)!;
  return text!
    .replaceAll('https://live.example.com', origin)
    .replaceAll('wss://live.example.com', origin.replace('http', 'ws'))
    .replaceAll(/\s+/g, ' ');
}

const TAGS = `
  <stream-viewer controls autoplay account-id="main" stream-name="nothing"></stream-viewer>
  <stream-broadcaster stream-name="nothing" token="none"></stream-broadcaster>`;

const html = (script: string): string => `<!doctype html>${script}${TAGS}`;
const scriptTag = (src: string, more = ''): string => `<script type="module" src="${src}"${more}></script>`;

async function recordViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      violations.push(`${violatedDirective}: ${sample}`),
    );
  });
}

const violations = (page: Page) => page.evaluate(() => Reflect.get(window, 'violations') as string[]);

/** Both tags are styled and have the server's answer, and the policy reported no violation. */
async function expectBothTags(page: Page): Promise<void> {
  const notice = page.locator('stream-viewer').getByText('Waiting for the stream');
  await expect(notice).toBeVisible();
  // The style sheets are applied.
  expect(await notice.evaluate((element) => getComputedStyle(element.closest('.cover')!).position)).toBe('absolute');
  await expect(page.locator('stream-broadcaster').getByText('Go live')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // Locators also search shadow trees. Policies allow what a script sets by `element.style`.
  await expect(page.locator('style')).toHaveCount(0);
}

/** The policy is in force: the browser refuses markup that it does not allow. */
async function expectInForce(page: Page): Promise<void> {
  const markup = () => {
    try {
      document.createElement('div').innerHTML = '<p>';
      return 'allowed';
    } catch (error) {
      return (error as Error).name;
    }
  };
  expect(await page.evaluate(markup)).toBe('TypeError');
}

test.describe('both tags work under the policy of the guide', () => {
  test.beforeEach(({ page }) => recordViolations(page));

  test('by a script tag, on a page of another origin', async ({ server, otherSite: site, page }) => {
    const headers = { 'content-security-policy': policy('With the script tag', server.origin) };
    const body = html(scriptTag(`${server.origin}/streamgate.js`));
    await page.goto(site.put('/', { body, headers }));
    await expectBothTags(page);
    await expectInForce(page);
  });

  test('by a script tag with a nonce', async ({ server, otherSite: site, page }) => {
    const strict = policy('With the script tag', server.origin).replace(
      `script-src ${server.origin}`,
      "script-src 'nonce-abc'",
    );
    const body = html(scriptTag(`${server.origin}/streamgate.js`, ' nonce="abc"'));
    await page.goto(site.put('/', { body, headers: { 'content-security-policy': strict } }));
    await expectBothTags(page);
    await expectInForce(page);
  });

  test('bundled from npm', async ({ server, otherSite: site, page }) => {
    const files = await bundled(`
      import { setDefaultEndpoint } from 'streamgate/elements';
      import 'streamgate/define';
      setDefaultEndpoint(${JSON.stringify(server.origin)});
    `);
    for (const { name, code } of files) site.putScript(`/${name}`, code);
    const headers = { 'content-security-policy': policy('With the npm package', server.origin) };
    await page.goto(site.put('/', { body: html(scriptTag(`/${files[0]!.name}`)), headers }));
    await expectBothTags(page);
    await expectInForce(page);
    // The parts that are loaded later were loaded under the same policy.
    expect(files.length).toBeGreaterThan(1);
  });

  test('on the origin of the server itself', async ({ server, page }) => {
    const own = policy('With the npm package', server.origin).replace(/connect-src [^;]+/, "connect-src 'self'");
    await page.route(`${server.origin}/strict`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': own },
        body: html(scriptTag('/streamgate.js')),
      }),
    );
    await page.goto(`${server.origin}/strict`);
    await expectBothTags(page);
    await expectInForce(page);
  });

  test('by the hosted pages in frames', async ({ server, otherSite: site, page }) => {
    const headers = { 'content-security-policy': policy('With a frame', server.origin) };
    const body = `<!doctype html><iframe src="${server.origin}/viewer?streamId=main/nothing"></iframe>`;
    await page.goto(site.put('/', { body, headers }));
    await expect(page.frameLocator('iframe').getByText('Waiting for the stream')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('twice on a page, where the policy lets a name be used twice', async ({ server, otherSite: site, page }) => {
    const strict = policy('With the script tag', server.origin).replace('script-src', "script-src 'self'");
    const twice = strict.replace('lit-html', "lit-html 'allow-duplicates'");
    const copy = Buffer.from(await (await fetch(`${server.origin}/streamgate.js`)).arrayBuffer());
    site.putScript('/streamgate.js', copy);
    const body = html(scriptTag(`${server.origin}/streamgate.js`) + scriptTag('/streamgate.js'));
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(site.put('/twice', { body, headers: { 'content-security-policy': twice } }));
    await expectBothTags(page);
    expect(errors).toEqual([]);

    // Where it does not, the second copy throws while it loads, and the first copy works.
    await page.goto(site.put('/once', { body, headers: { 'content-security-policy': strict } }));
    await expect(page.locator('stream-viewer').getByText('Waiting for the stream')).toBeVisible();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('lit-html');
  });
});
