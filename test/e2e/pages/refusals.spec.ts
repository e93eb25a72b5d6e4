import { viewerLink } from '../../../src/pages/address.ts';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { goLive, openBroadcaster, openViewer, phaseOf, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

const UNKNOWN = '00'.repeat(32);

test.describe('a refused request', () => {
  test('of a viewer shows why: another stream, an unknown token', async ({
    server: { origin },
    tokens,
    streamName,
    page,
  }) => {
    const code = () => refusalCodeOf(page, 'stream-viewer');
    await openViewer(page, { origin, streamName, token: await tokens.subscribe('another') });
    await expect.poll(code).toBe('stream_not_permitted');
    await openViewer(page, { origin, streamName, token: UNKNOWN });
    await expect.poll(code).toBe('token_unknown');
  });

  test('shows token_missing to a viewer without a token of a protected stream, and not to one with it', async ({
    server: { origin },
    tokens,
    streamName,
    page,
  }) => {
    const token = await tokens.publish(streamName, { subscribeRequiresAuth: true });
    const broadcast = await PacketBroadcast.begin({ origin, streamName, token });
    await openViewer(page, { origin, streamName });
    await expect.poll(() => refusalCodeOf(page, 'stream-viewer')).toBe('token_missing');
    // The complete link, in the same tab: the page is not loaded again.
    await page.goto(viewerLink(origin, { accountId: 'main', streamName, token: await tokens.subscribe(streamName) }));
    await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
    await broadcast.end();
  });

  test('of a broadcaster shows why: an unknown token, and a stream in use, whose first broadcaster stays live', async ({
    address,
    context,
    page,
  }) => {
    const code = () => refusalCodeOf(page, 'stream-broadcaster');
    await openBroadcaster(page, { ...address, token: UNKNOWN });
    await page.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(code).toBe('token_unknown');

    const first = await context.newPage();
    await openBroadcaster(first, address);
    await goLive(first);
    await openBroadcaster(page, address);
    await page.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(code).toBe('stream_in_use');
    expect(await phaseOf(first, 'stream-broadcaster')).toBe('live');
  });
});
