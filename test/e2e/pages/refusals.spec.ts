import { goLive, openBroadcaster, openViewer, phaseOf, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test.describe('a refused request', () => {
  test('shows stream_not_live to a viewer without a token when no stream is live', async ({
    server,
    streamName,
    page,
  }) => {
    await openViewer(page, { origin: server.origin, streamName });
    await expect.poll(() => refusalCodeOf(page, 'stream-viewer')).toBe('stream_not_live');
    await expect(page.locator('stream-viewer').getByText('Nothing is live here')).toBeVisible();
  });

  test('shows stream_not_permitted to a viewer with a token for another stream', async ({
    server,
    tokens,
    streamName,
    page,
  }) => {
    await openViewer(page, { origin: server.origin, streamName, token: await tokens.subscribe('another') });
    await expect.poll(() => refusalCodeOf(page, 'stream-viewer')).toBe('stream_not_permitted');
  });

  test('shows token_unknown to a viewer with an unknown token', async ({ server, streamName, page }) => {
    await openViewer(page, { origin: server.origin, streamName, token: '00'.repeat(32) });
    await expect.poll(() => refusalCodeOf(page, 'stream-viewer')).toBe('token_unknown');
  });

  test('shows token_missing to a viewer without a token of a protected stream', async ({
    server,
    tokens,
    streamName,
    page: stranger,
    broadcast,
    watching,
  }) => {
    await broadcast({ restrictions: { subscribeRequiresAuth: true } });
    await openViewer(stranger, { origin: server.origin, streamName });
    await expect.poll(() => refusalCodeOf(stranger, 'stream-viewer')).toBe('token_missing');
    await watching({ token: await tokens.subscribe(streamName) });
  });

  test('shows stream_in_use to a second broadcaster, and the first stays live', async ({
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
    await expect.poll(() => refusalCodeOf(second, 'stream-broadcaster')).toBe('stream_in_use');

    expect(await phaseOf(first, 'stream-broadcaster')).toBe('live');
    await watching();
  });

  test('shows token_unknown to a broadcaster with an unknown token', async ({ server, streamName, page }) => {
    await openBroadcaster(page, { origin: server.origin, streamName, token: '00'.repeat(32) });
    await page.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => refusalCodeOf(page, 'stream-broadcaster')).toBe('token_unknown');
  });
});
