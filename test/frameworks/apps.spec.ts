import type { Browser } from '@playwright/test';
import { folderOf } from '../../scripts/framework-apps.ts';
import { expectMovingPicture, openViewer, phaseOf } from '../e2e/support/pages.ts';
import { Stage } from '../e2e/support/stage.ts';
import { expect, test as base } from '../e2e/support/test.ts';
import { serveApp } from './app-server.ts';

/** Where each of them is when it is built. */
const APPS = { react: 'react/dist', vue: 'vue/dist', svelte: 'svelte/dist', angular: 'angular/dist', html: 'html' };

interface Access {
  readonly streams: readonly string[];
  readonly token?: string;
  readonly publishToken?: string;
}

for (const [name, folder] of Object.entries(APPS)) {
  const test = base.extend<{ open: (access: Access) => Promise<void> }>({
    /** Opens the app in the test's page. Whatever it throws, or complains of on the console, is a failure. */
    open: async ({ server, page }, use) => {
      const app = await serveApp(folderOf(folder), server.origin);
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        // The browser's own word on a refusal.
        const isAnswer = message.text().startsWith('Failed to load resource');
        if (['error', 'warning'].includes(message.type()) && !isAnswer) faults.push(message.text());
      });
      await use(async ({ streams, token = '', publishToken = '' }) => {
        const said = { endpoint: server.origin, streams: streams.join(), token, 'publish-token': publishToken };
        await page.goto(`${app.origin}/#${new URLSearchParams(said)}`);
      });
      await app.close();
      expect(faults).toEqual([]);
    },
  });

  test.describe(`the app with ${name}`, () => {
    test('waits, plays, follows to another stream, and leaves nothing behind', async ({
      server: { origin },
      browser,
      page,
      tokens,
      streamName,
      open,
    }) => {
      const streams = [`${streamName}-a`, `${streamName}-b`] as const;
      const [a, b] = streams;
      const token = (await tokens.create('subscribe_token', { streams: streams.map((one) => ({ streamName: one })) }))
        .Token;
      const onStage = (streamName: string, number: number) =>
        stageOf(browser, { origin, streamName, number, token: tokens.publish(streamName) });

      await open({ streams, token });
      await expect(page.getByRole('status').filter({ hasText: /^Waiting$/ })).toBeVisible();
      await expect(page.getByText('The doors are open.')).toBeVisible();

      const first = await onStage(a, 5);
      await expect(page.getByText(`Live: ${a}`, { exact: true })).toBeVisible();
      await expect(page.getByText('1 watching', { exact: true })).toBeVisible();
      await expect(page.getByText('The doors are open.')).toBeHidden();
      await expectMovingPicture(page);
      expect(await page.content(), 'the token is in no markup').not.toContain(token);
      expect(await page.locator('stream-viewer').evaluate((element) => Reflect.get(element, 'controls'))).toBe(true);

      const second = await onStage(b, 9);
      await expect.poll(() => first.viewers()).toBe(1);
      await page.getByRole('button', { name: `Switch to ${b}` }).click();
      await expect(page.getByText(`Live: ${b}`, { exact: true })).toBeVisible();
      await expect.poll(() => first.viewers()).toBe(0);
      await expect.poll(() => second.viewers()).toBe(1);

      await page.getByRole('button', { name: 'Leave' }).click();
      await expect(page.locator('stream-viewer')).toHaveCount(0);
      await expect.poll(() => second.viewers()).toBe(0);

      await page.getByRole('button', { name: 'Come in' }).click();
      await expect.poll(() => second.viewers()).toBe(1);
      await first.close();
      await second.close();
    });

    test('says why it was refused', async ({ page, streamName, open }) => {
      await open({ streams: [streamName], token: 'made-up' });
      await expect(page.getByText('Refused: token_unknown', { exact: true })).toBeVisible();
    });

    test('broadcasts what it paints, until it leaves', async ({
      server: { origin },
      context,
      page,
      tokens,
      streamName,
      open,
    }) => {
      await open({ streams: [streamName], publishToken: await tokens.publish(streamName) });
      await page.getByRole('button', { name: 'Go live' }).click();
      await expect(page.getByText(`On the air: ${streamName}`, { exact: true })).toBeVisible();

      const viewer = await context.newPage();
      await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
      await expectMovingPicture(viewer);
      await page.getByRole('button', { name: 'Leave' }).click();
      await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
    });
  });
}

async function stageOf(
  browser: Browser,
  { token, ...options }: { origin: string; streamName: string; number: number; token: Promise<string> },
): Promise<Stage> {
  const stage = await Stage.open(browser, { ...options, token: await token });
  await stage.goLive();
  return stage;
}
