import { expectMovingPicture, openBroadcaster, openViewer, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test('a visitor without a token who comes early sees the start by themselves, and the end that the broadcaster declares', async ({
  server: { origin },
  tokens,
  streamName,
  context,
  page,
}) => {
  const guest = await context.newPage();
  await openViewer(guest, { origin, streamName });
  const tag = guest.locator('stream-viewer');
  await expect(tag.getByText('Waiting for the stream')).toBeVisible();

  await openBroadcaster(page, { origin, streamName, token: await tokens.publish(streamName) });
  await page.getByRole('button', { name: 'Go live' }).click();
  await expectMovingPicture(guest);
  await expect(tag.locator('[part=live-badge]')).toBeVisible();

  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(tag.getByText('The broadcast has ended')).toBeVisible();
  expect(await phaseOf(guest, 'stream-viewer')).toBe('ended');
});
