import type { Page } from '@playwright/test';
import { BROWSER_CIPHER } from '../../../bench/media/srtp-cipher.ts';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.ts';
import { useBadNetwork } from '../support/bad-network.ts';
import { noteConnections, pathOf } from '../support/connections.ts';
import { noteEvents } from '../support/event-log.ts';
import { expectMovingPicture, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Pauses between attempts grow to ten seconds. */
const BACK = { timeout: 45_000 };
const SHORTEST_LIMIT_MS = 5_000;

/** Has clients wait ten times as long before they give a session up, so that a busy machine answers in time. */
async function waitPatiently(page: Page): Promise<void> {
  await page.addInitScript((limitMs) => {
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms = 0, ...rest: []) =>
      setTimeout(run, ms >= limitMs ? ms * 10 : ms, ...rest)) as typeof window.setTimeout;
  }, SHORTEST_LIMIT_MS);
}

test('viewers see that the broadcaster is lost who reloads the page, and the picture continues when they go on', async ({
  context,
  broadcast,
  watching,
}) => {
  const broadcaster = await broadcast();
  const viewer = await context.newPage();
  await noteConnections(viewer);
  await watching({ page: viewer });
  const eventNames = await noteEvents(viewer, 'stream-viewer');

  await broadcaster.reload();
  const tag = viewer.locator('stream-viewer');
  await expect(tag.getByText('The broadcaster is reconnecting')).toBeVisible();
  await expect(tag.locator('[part=live-badge]')).toHaveCount(0);
  await broadcaster.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  await expectMovingPicture(viewer);
  await expect(tag.locator('[part=live-badge]')).toBeVisible();
  expect(await eventNames()).toEqual(['stream-interrupted', 'stream-live']);

  expect((await pathOf(viewer)).local?.protocol, 'where UDP works it is used').toBe('udp');
  const cipher = await viewer.evaluate(async () => {
    const stats = await document.querySelector<StreamViewerElement>('stream-viewer')!.getStats();
    return [...(stats?.values() ?? [])].find(({ type }) => type === 'transport')?.srtpCipher as string | undefined;
  });
  expect(cipher, 'that of the forwarding benchmark').toBe(BROWSER_CIPHER);
});

test('the picture continues without an event when broadcaster and viewer go to other networks', async ({
  context,
  broadcast,
  watching,
}) => {
  const pages = [await context.newPage(), await context.newPage()] as const;
  for (const page of pages) await waitPatiently(page);
  const networks = [await useBadNetwork(pages[0], {}), await useBadNetwork(pages[1], {})];
  const [broadcaster, viewer] = pages;
  await broadcast({ page: broadcaster });
  await watching({ page: viewer });
  const eventNames = await noteEvents(viewer, 'stream-viewer');

  for (const network of networks) network.cut();
  for (const page of pages) await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expectMovingPicture(viewer);
  await expectMovingPicture(viewer);
  // On a busy machine the broadcaster may count as lost for a moment.
  expect((await eventNames()).filter((name) => !/^stream-(?:interrupted|live)$/.test(name))).toEqual([]);
  for (const page of pages) expect(await page.evaluate(() => window.peers.length), 'the session is the same').toBe(1);
  for (const network of networks) network.close();
});

test('broadcaster and viewer come back by themselves after the server was killed', async ({
  server,
  broadcast,
  watching,
}) => {
  const [broadcaster, viewer] = [await broadcast(), await watching()];
  const eventNames = await noteEvents(viewer, 'stream-viewer');
  await server.restart('SIGKILL');
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster'), BACK).toBe('live');
  await expect.poll(() => phaseOf(viewer, 'stream-viewer'), BACK).toBe('live');
  await expectMovingPicture(viewer);
  expect(await eventNames()).not.toContain('stream-rejected');
});
