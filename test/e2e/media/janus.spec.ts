import { startJanus, type TestJanus } from '../../support/janus.ts';
import { expectMovingPicture, expectSound, goLive, openViewer, phaseOf } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

/** Janus carries the media: broadcasters connect to one, viewers to another, which gets the stream from the first. */
const test = base.extend<object, { origin: TestJanus; edge: TestJanus }>({
  origin: [
    async ({}, use) => {
      const janus = await startJanus();
      await use(janus);
      await janus.stop();
    },
    { scope: 'worker' },
  ],
  edge: [
    async ({ origin }, use) => {
      const janus = await startJanus(origin);
      await use(janus);
      await janus.stop();
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ origin, edge }, use) =>
      use({
        MEDIA_ENGINE: 'janus',
        JANUS_URL: origin.url,
        JANUS_EDGE_URLS: edge.url,
        JANUS_API_SECRET: origin.apiSecret,
        JANUS_ROOM_KEY: origin.roomKey,
      }),
    { scope: 'worker' },
  ],
});

test('with two Janus, a viewer that waits sees the stream start, end and start again, also after both were restarted', async ({
  server,
  origin,
  edge,
  tokens,
  streamName,
  context,
  broadcast,
}) => {
  const viewer = await context.newPage();
  const token = await tokens.subscribe(streamName);
  await openViewer(viewer, { origin: server.origin, streamName, token });
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');

  const broadcaster = await broadcast();
  await expectMovingPicture(viewer);
  // A page may listen only after its visitor did something. A click on the picture would pause it.
  await viewer.keyboard.press('Tab');
  await expectSound(viewer);
  await expect
    .poll(() => edge.output(), 'the viewer is connected to the edge')
    .toContain('WebRTC media is now available');
  await expect(broadcaster.getByText(/1 (watching|viewer)/i)).toBeVisible();

  await broadcaster.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
  await goLive(broadcaster);
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await expectMovingPicture(viewer);

  await Promise.all([origin.restart(), edge.restart()]);
  const losses = () => server.output().split('the sessions of a Janus are lost').length - 1;
  await expect.poll(losses).toBe(2);
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await expectMovingPicture(viewer);
});
