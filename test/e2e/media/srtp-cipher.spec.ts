import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.ts';
import { BROWSER_CIPHER } from '../../../bench/media/srtp-cipher.ts';
import { expect, test } from '../support/test.ts';

test('a viewer in Chromium gets its media with the cipher of the forwarding benchmark', async ({
  broadcast,
  watching,
}) => {
  await broadcast();
  const page = await watching();
  const cipher = await page.evaluate(async () => {
    const stats = await document.querySelector<StreamViewerElement>('stream-viewer')!.getStats();
    return [...(stats?.values() ?? [])].find(({ type }) => type === 'transport')?.srtpCipher as string | undefined;
  });
  expect(cipher).toBe(BROWSER_CIPHER);
});
