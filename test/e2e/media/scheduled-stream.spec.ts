import { expectMovingPicture } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

const MINUTE = 60_000;

test('the page of a scheduled stream becomes the player of a visitor with a token, and waits when the broadcast stops', async ({
  server,
  tokens,
  streamName,
  broadcast,
  page,
}) => {
  const start = new Date(Date.now() + MINUTE / 2).toISOString();
  const fields = ['--stream', streamName, '--title', 'Keynote', '--start', start, '--account', 'main'];
  const { path } = await server.cli('schedule', 'add', ...fields);
  await page.goto(`${server.origin}${path}#token=${await tokens.subscribe(streamName)}`);
  await expect(page.getByRole('timer')).toBeVisible();

  const broadcaster = await broadcast({ restrictions: { subscribeRequiresAuth: true } });
  await expectMovingPicture(page);
  await expect(page.locator('stream-viewer')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
  const size = await page.locator('stream-viewer').boundingBox();
  expect([size?.width, size?.height]).toEqual([page.viewportSize()!.width, page.viewportSize()!.height]);

  await broadcaster.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('scheduled-page')).toHaveAttribute('data-stage', /countdown|paused/);
  await expect(page.getByRole('heading', { level: 1, name: 'Keynote' })).toBeVisible();
  await expect(page.locator('stream-viewer')).toBeHidden();
  await expect(page.getByText('The stream is live.')).toHaveCount(0);

  await broadcaster.getByRole('button', { name: 'Go live' }).click();
  await expect(page.locator('scheduled-page')).toHaveAttribute('data-stage', 'live');
  await expectMovingPicture(page);
});
