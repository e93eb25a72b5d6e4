import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bundled } from '../support/bundled.ts';
import type { OtherSite } from '../support/other-site.ts';
import { expect, test } from '../support/test.ts';

const ROOT = join(import.meta.dirname, '../../..');

const APPLICATION = (origin: string): string => `
  import 'streamgate/define';
  import { registerMessages, setDefaultEndpoint } from 'streamgate/elements';
  setDefaultEndpoint(${JSON.stringify(origin)});
  registerMessages('en', { waiting: ['Back at eight', ''] });
`;

/** @returns the address of its script */
async function putApplication(site: OtherSite, origin: string): Promise<string> {
  const files = await bundled(APPLICATION(origin));
  return files.map(({ name, code }) => site.putScript(`/${name}`, code))[0]!;
}

const VIEWER = '<stream-viewer autoplay account-id="main" stream-name="nothing"></stream-viewer>';
const tag = (src: string): string => `<script type="module" src="${src}"></script>${VIEWER}`;

function recordErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    // The browser and the tag also log that a stream is not live.
    const isRefusal =
      /^(Failed to load resource|WebSocket|<stream-viewer> on \S+ is refused: \S+\/errors\/stream_not_live)/.test(
        message.text(),
      );
    if (['error', 'warning'].includes(message.type()) && !isRefusal) errors.push(message.text());
  });
  return errors;
}

/** Waits until both tags show the server's answer. */
async function bothAnswered(page: Page): Promise<void> {
  await expect(page.locator('stream-viewer').getByText('Waiting for the stream')).toHaveCount(2);
}

/** The number of classes that the tags of the page are instances of. */
const classes = (page: Page) =>
  page.evaluate(
    () => new Set([...document.querySelectorAll('stream-viewer')].map(({ constructor }) => constructor)).size,
  );

test.describe('two copies of the package on one page', () => {
  test('loaded from two addresses: the first is used, both tags play, and messages of both are shown', async ({
    server,
    otherSite: site,
    page,
  }) => {
    const errors = recordErrors(page);
    // A module with another URL, like an older version on another host.
    const other = site.putScript('/old/streamgate.js', readFileSync(join(ROOT, 'dist/cdn/streamgate.js')));
    const messages = site.putScript('/old/i18n/de.js', readFileSync(join(ROOT, 'dist/cdn/i18n/de.js')));
    await page.goto(site.put('/', `<!doctype html>${tag(`${server.origin}/streamgate.js`)}${tag(other)}`));
    await bothAnswered(page);
    expect(await classes(page)).toBe(1);
    const first = await page.evaluate(
      async (files) => {
        const [one, two] = await Promise.all(files.map((file) => import(file)));
        const registered = customElements.get('stream-viewer');
        return [one.StreamViewerElement === registered, two.StreamViewerElement === registered];
      },
      [`${server.origin}/streamgate.js`, other],
    );
    expect(first).toEqual([true, false]);

    // The language of one copy and the messages that the other copy registers are used by all tags.
    await page.evaluate(
      async ([copy, german]) => {
        await import(german!);
        const { registerMessages } = await import(copy!);
        registerMessages('de', { waiting: ['Gleich geht es los', ''] });
        document.documentElement.lang = 'de';
      },
      [other, messages],
    );
    await expect(page.locator('stream-viewer').getByText('Gleich geht es los')).toHaveCount(2);
    expect(errors).toEqual([]);
  });

  test('a script tag and an application with the npm package work together, in either order', async ({
    server,
    otherSite: site,
    page,
  }) => {
    const app = await putApplication(site, server.origin);
    const script = `${server.origin}/streamgate.js`;
    for (const [path, one, two] of [
      ['/script-first', script, app],
      ['/app-first', app, script],
    ] as const) {
      await page.goto('about:blank');
      const errors = recordErrors(page);
      await page.goto(site.put(path, `<!doctype html>${tag(one)}${tag(two)}`));
      await expect(page.locator('stream-viewer').getByText('Back at eight'), path).toHaveCount(2);
      expect(await classes(page), path).toBe(1);
      expect(errors, path).toEqual([]);
    }
  });

  test('the default endpoint that an application sets is used by tags that another copy registered', async ({
    server,
    otherSite: site,
    page,
  }) => {
    // The host of the script has no server, so the endpoint that follows from the script's address is wrong.
    const script = site.putScript('/streamgate.js', readFileSync(join(ROOT, 'dist/cdn/streamgate.js')));
    const app = await putApplication(site, server.origin);
    await page.goto(
      site.put(
        '/',
        `<!doctype html>${[script, app].map((src) => `<script type="module" src="${src}"></script>`).join('')}`,
      ),
    );
    await page.evaluate((viewer) => document.body.insertAdjacentHTML('beforeend', viewer + viewer), VIEWER);
    await expect(page.locator('stream-viewer').getByText('Back at eight')).toHaveCount(2);
  });
});
