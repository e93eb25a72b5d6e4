import type { Page } from '@playwright/test';
import { ManagementClient } from '../../../src/management.ts';
import { noteConnections, outboundVideo } from '../support/connections.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** Few frames, so that a busy machine encodes all of them: else its processor would be the limit. */
const CAPTURE = { height: 540, frameRate: 10 };
const BITRATE = 800_000;
/** Of the encodings, the smallest first. */
const RIDS = ['q', 'h', 'f'];
/** Of the account, in kbit/s: less than the largest encoding alone. */
const LIMIT_KBPS = 500;
/** The page's timers run faster, so that the client looks more often. */
const CLOCK_RATE = 4;

/** The encodings of which the page makes new frames while it makes some of the largest. */
async function sentEncodings(page: Page): Promise<string[]> {
  const framesOf = async () =>
    new Map((await outboundVideo(page)).map(({ rid, framesEncoded }) => [rid, framesEncoded]));
  const before = await framesOf();
  const since = (frames: Awaited<ReturnType<typeof framesOf>>, rid: string | undefined) =>
    (frames.get(rid) ?? 0) - (before.get(rid) ?? 0);
  let after = before;
  await expect
    .poll(async () => since((after = await framesOf()), 'f'), { message: 'frames of the largest' })
    .toBeGreaterThan(5);
  return RIDS.filter((rid) => since(after, rid) > 1);
}

test('a broadcaster who leaves simulcast to the client sends all sizes while it may, and else keeps to its limit with the largest', async ({
  server,
  apiSecret,
  address,
  context,
}) => {
  const page = await context.newPage();
  await noteConnections(page);
  await page.addInitScript((rate) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 });
    const { setInterval } = window;
    window.setInterval = ((run: () => void, ms = 0) => setInterval(run, ms / rate)) as typeof setInterval;
  }, CLOCK_RATE);
  await broadcastHeadless(page, address, { maxBitrate: BITRATE }, CAPTURE);
  await mediaFlows(address);
  await expect.poll(() => sentEncodings(page), { timeout: 90_000 }).toEqual(RIDS);

  const limit = (kbps: string) => server.cli('account', 'limits', '--account', 'main', '--max-publish-kbps', kbps);
  const { streams } = new ManagementClient({ endpoint: server.origin, secret: apiSecret });
  const source = async () =>
    (await streams.live()).find((stream) => stream.streamName === address.streamName)?.sources[0];
  // As an operator does. The server knows it within five seconds.
  await limit(String(LIMIT_KBPS));
  await expect.poll(() => sentEncodings(page), { timeout: 90_000 }).toEqual(['f']);
  await expect.poll(async () => (await source())?.videoBitrate).toBeLessThan(LIMIT_KBPS * 1_000);
  await expect.poll(async () => (await source())?.notices).toEqual([]);
  await limit('off');
});
