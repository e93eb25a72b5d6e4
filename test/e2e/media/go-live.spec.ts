import { expectMovingPicture, expectSound, goLive, openViewer, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test('one click in the dashboard goes live: viewers who waited see and hear the stream, are counted, and see it end and start again', async ({
  server,
  tokens,
  streamName,
  context,
}) => {
  const viewer = await context.newPage();
  const address = { origin: server.origin, streamName };
  await openViewer(viewer, { ...address, token: await tokens.subscribe(streamName) });
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');

  const broadcaster = await context.newPage();
  const { link } = await server.cli('dashboard', '--account', 'main');
  await broadcaster.goto(`${server.origin}/dashboard${new URL(String(link)).hash}`);
  await broadcaster.getByRole('textbox', { name: /stream name/i }).fill(streamName);
  await broadcaster.getByRole('button', { name: /go live/i }).click();
  await broadcaster.waitForURL(/\/broadcaster/);
  await goLive(broadcaster);
  await expectMovingPicture(viewer);
  // A page may listen only after its visitor did something. A click on the picture would pause it.
  await viewer.keyboard.press('Tab');
  await expectSound(viewer);

  const another = await context.newPage();
  await openViewer(another, address);
  await expect(broadcaster.getByText(/2 (watching|viewers)/i)).toBeVisible();
  await another.close();
  await expect(broadcaster.getByText(/1 (watching|viewer)\b/i)).toBeVisible();

  await broadcaster.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
  await goLive(broadcaster);
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await expectMovingPicture(viewer);
});
