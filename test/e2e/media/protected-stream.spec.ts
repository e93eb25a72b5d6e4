import { expectMovingPicture, goLive, openBroadcaster, phaseOf, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test('a viewer without a token of an open broadcast sees no frame of a later protected broadcast', async ({
  server: { origin },
  tokens,
  streamName,
  broadcast,
  watching,
}) => {
  const page = await broadcast();
  const guest = await watching();
  const framesShown = () =>
    guest.evaluate(() => {
      const video = document.querySelector('stream-viewer')?.shadowRoot?.querySelector('video');
      return video?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
    });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => phaseOf(guest, 'stream-viewer')).toBe('ended');
  const framesBefore = await framesShown();

  const token = await tokens.publish(streamName, { subscribeRequiresAuth: true });
  await openBroadcaster(page, { origin, streamName, token });
  await goLive(page);
  await expect.poll(() => refusalCodeOf(guest, 'stream-viewer')).toBe('token_missing');

  const member = await watching({ token: await tokens.subscribe(streamName) });
  await expectMovingPicture(member);
  expect(await framesShown()).toBeLessThanOrEqual(framesBefore);
});
