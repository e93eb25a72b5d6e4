import { goLive, openBroadcaster, openViewer, phaseOf, reasonOf } from './support/pages.ts';
import { expect, test } from './support/test.ts';

test.describe('who is turned away', () => {
  test('a viewer without a token, while nobody is live', async ({ server, streamName, page }) => {
    await openViewer(page, { origin: server.origin, streamName });
    await expect.poll(() => reasonOf(page, 'stream-viewer')).toBe('stream_not_live');
    await expect(page.locator('stream-viewer').getByText('Nothing is live here')).toBeVisible();
  });

  test('a viewer with a token for another stream', async ({ server, tokens, streamName, page }) => {
    await openViewer(page, { origin: server.origin, streamName, token: await tokens.subscribe('another') });
    await expect.poll(() => reasonOf(page, 'stream-viewer')).toBe('stream_not_permitted');
  });

  test('a viewer with a token that nobody made', async ({ server, streamName, page }) => {
    await openViewer(page, { origin: server.origin, streamName, token: '00'.repeat(32) });
    await expect.poll(() => reasonOf(page, 'stream-viewer')).toBe('token_unknown');
  });

  test('a viewer without a token, where the live stream asks for one', async ({
    server,
    tokens,
    streamName,
    page: stranger,
    broadcast,
    watching,
  }) => {
    await broadcast({ restrictions: { subscribeRequiresAuth: true } });
    await openViewer(stranger, { origin: server.origin, streamName });
    await expect.poll(() => reasonOf(stranger, 'stream-viewer')).toBe('token_missing');
    await watching({ token: await tokens.subscribe(streamName) });
  });

  test('a second broadcaster under a name in use, while the first goes on', async ({
    server,
    tokens,
    streamName,
    context,
    watching,
  }) => {
    const { origin } = server;
    const token = await tokens.publish(streamName);
    const first = await context.newPage();
    await openBroadcaster(first, { origin, streamName, token });
    await goLive(first);

    const second = await context.newPage();
    await openBroadcaster(second, { origin, streamName, token });
    await second.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => reasonOf(second, 'stream-broadcaster')).toBe('stream_in_use');

    expect(await phaseOf(first, 'stream-broadcaster')).toBe('live');
    await watching();
  });

  test('a broadcaster with a token that nobody made', async ({ server, streamName, page }) => {
    await openBroadcaster(page, { origin: server.origin, streamName, token: '00'.repeat(32) });
    await page.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => reasonOf(page, 'stream-broadcaster')).toBe('token_unknown');
  });
});
