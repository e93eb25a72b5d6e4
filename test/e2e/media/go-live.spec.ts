import { expectMovingPicture, expectSound, goLive, openViewer, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test.describe('the dashboard, a broadcaster and a viewer', () => {
  test('one click in the dashboard goes live, and a viewer sees and hears the stream', async ({ server, context }) => {
    const dashboard = await context.newPage();
    await dashboard.goto(server.dashboardLink);
    await dashboard.getByRole('textbox', { name: /stream name/i }).fill('my-first-stream');
    await dashboard.getByRole('button', { name: /go live/i }).click();
    await dashboard.waitForURL(/\/broadcaster/);
    await goLive(dashboard);

    const viewer = await context.newPage();
    await openViewer(viewer, { origin: server.origin, streamName: 'my-first-stream' });
    await expectMovingPicture(viewer);
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await viewer.locator('stream-viewer').click();
    await expectSound(viewer);
  });

  test('the dashboard link works once', async ({ server, browser }) => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(server.dashboardLink);
    await expect(stranger.getByText('npx streamgate dashboard')).toBeVisible();
    await stranger.context().close();
  });

  test('a viewer that waits sees the stream start, end and start again without a reload', async ({
    server,
    tokens,
    streamName,
    context,
    broadcast,
  }) => {
    const { origin } = server;
    const viewer = await context.newPage();
    await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');

    const broadcaster = await broadcast();
    await expectMovingPicture(viewer);

    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');

    await goLive(broadcaster);
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expectMovingPicture(viewer);
  });

  test('closing the broadcaster page ends the stream for its viewers', async ({ broadcast, watching }) => {
    const broadcaster = await broadcast();
    const viewer = await watching();

    await broadcaster.close();
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
  });

  test('the viewer count of a stream includes every viewer', async ({ broadcast, watching }) => {
    const broadcaster = await broadcast();
    for (let viewers = 0; viewers < 2; viewers++) await watching();
    await expect(broadcaster.getByText(/2 (watching|viewers)/i)).toBeVisible();
  });
});
