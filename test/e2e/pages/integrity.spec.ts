import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

interface Integrity {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

const integrityOf = async (origin: string): Promise<Integrity> =>
  (await fetch(`${origin}/streamgate-integrity.json`)).json();

const sha384 = (bytes: Buffer): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** Attributes that record whether a script was loaded or refused by the browser. */
const NOTE = `onload="outcomes.push('loaded')" onerror="outcomes.push('refused')"`;

const outcomes = (page: Page) => page.evaluate(() => Reflect.get(window, 'outcomes') as string[]);

/** A page of another site with these scripts and a viewer. */
const sitePage = (scripts: string, lang = 'en'): string => `<!doctype html>
  <html lang="${lang}">
    <script>window.outcomes = [];</script>
    ${scripts}
    <stream-viewer autoplay account-id="main" stream-name="nothing"></stream-viewer>
  </html>`;

test.describe('the file for script tags', () => {
  test('has the published hash, as has each language file', async ({ server }) => {
    const { version, files } = await integrityOf(server.origin);
    expect(Object.keys(files)).toEqual([
      'streamgate.js',
      'hls-player.js',
      ...['ar', 'de', 'es', 'fr', 'ja', 'zh'].map(languageFile),
    ]);
    for (const [name, integrity] of Object.entries(files)) {
      for (const path of [name, name.replace('.js', `-${version}.js`)]) {
        const response = await fetch(`${server.origin}/${path}`);
        expect(response.status, path).toBe(200);
        expect(sha384(Buffer.from(await response.arrayBuffer())), path).toBe(integrity);
      }
    }
  });

  test('loads with its hash on a page of another origin', async ({ server, otherSite: site, page }) => {
    const { version, files } = await integrityOf(server.origin);
    const tags = ['streamgate', 'i18n/fr'].map(
      (name) =>
        `<script type="module" src="${server.origin}/${name}-${version}.js" integrity="${files[`${name}.js`]}" crossorigin="anonymous" ${NOTE}></script>`,
    );
    await page.goto(site.put('/', sitePage(tags.join(''), 'fr')));
    await expect.poll(() => outcomes(page)).toEqual(['loaded', 'loaded']);
    // The tag calls the server of its script, and uses the language of the second script.
    await expect(page.locator('stream-viewer').getByText('En attente du direct')).toBeVisible();
  });

  test('is refused by the browser if its hash differs', async ({ server, otherSite: site, page }) => {
    const { version, files } = await integrityOf(server.origin);
    const tag = `<script type="module" src="${server.origin}/streamgate-${version}.js" integrity="${files['i18n/de.js']}" crossorigin="anonymous" ${NOTE}></script>`;
    await page.goto(site.put('/', sitePage(tag)));
    await expect.poll(() => outcomes(page)).toEqual(['refused']);
    expect(await page.evaluate(() => customElements.get('stream-viewer') === undefined)).toBe(true);
  });

  test('is served compressed', async ({ server }) => {
    const first = await fetch(`${server.origin}/streamgate.js`, { headers: { 'accept-encoding': 'br' } });
    const sent = Number(first.headers.get('content-length'));
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(sent).toBeLessThan((await first.arrayBuffer()).byteLength / 3);
  });
});

test('the code that the dashboard offers for a website runs there with a pinned version', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
  context,
}) => {
  await tokens.publish(streamName);
  // Another test uses the link of the first start.
  await openDashboard(page, server);
  await page.getByRole('button', { name: `Embed ${streamName}` }).click();
  const dialog = page.getByRole('dialog');
  const code = (label: string) => dialog.getByRole('textbox', { name: label }).inputValue();
  expect(await code('Tag for a website')).toContain(`src="${server.origin}/streamgate.js"></script>`);
  expect(await code('Frame for a website')).toContain(`<iframe src="${server.origin}/viewer?`);
  const { version, files } = await integrityOf(server.origin);
  const pinned = await code('Pinned tag');
  expect(pinned).toContain(
    `src="${server.origin}/streamgate-${version}.js" integrity="${files['streamgate.js']}" crossorigin="anonymous"`,
  );
  for (const text of [await code('Tag for a website'), await code('Frame for a website'), pinned])
    expect(text).not.toContain('token');

  const customer = await context.newPage();
  await customer.goto(site.put('/', `<!doctype html>${pinned}`));
  await expect(customer.locator('stream-viewer').getByText('Waiting for the stream')).toBeVisible();
});

const languageFile = (language: string): string => `i18n/${language}.js`;
