import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Cleanup } from '../../support/cleanup.ts';
import { freePort } from '../../support/free-port.ts';
import { startHlsCache } from '../../support/hls-cache.ts';
import { expectMovingPicture } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';
import { look, readTimeCodes } from '../support/time-code-reader.ts';
import { broadcastTimeCodes } from '../support/time-coded-broadcaster.ts';

interface WorkerFixtures {
  cdnPort: number;
  /** nginx, as the guide configures it, in front of the server. */
  cdn: { readonly origin: string };
}

interface Fixtures {
  /** Goes live in H264 with a token that records. */
  recorded: () => Promise<void>;
  /** How nginx answered each request of the page for a segment. Chromium does not show those of its own player. */
  answers: string[];
}

const test = base.extend<Fixtures, WorkerFixtures>({
  cdnPort: [async ({}, use) => use(await freePort()), { scope: 'worker' }],
  environment: [async ({ cdnPort }, use) => use({ HLS_CDN_URL: `http://127.0.0.1:${cdnPort}` }), { scope: 'worker' }],
  cdn: [
    async ({ cdnPort, server }, use) => {
      const cleanup = new Cleanup();
      const folder = await mkdtemp(join(tmpdir(), 'streamgate-cdn-'));
      cleanup.after(() => rm(folder, { recursive: true, force: true }));
      await startHlsCache(cleanup, { folder, port: cdnPort, origin: Number(new URL(server.origin).port) });
      await use({ origin: `http://127.0.0.1:${cdnPort}` });
      await cleanup.run();
    },
    { scope: 'worker', auto: true },
  ],
  recorded: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async () => {
      const token = await tokens.publish(streamName, { record: true });
      await broadcastTimeCodes(await context.newPage(), { origin, streamName, token }, { codec: 'h264' });
    }),
  answers: async ({ page, cdn, server }, use) => {
    const answers: string[] = [];
    const fromServer: string[] = [];
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url());
      if (origin === cdn.origin) answers.push(response.headers()['x-cache-status'] ?? String(response.status()));
      // The server only says where they are.
      const isSent = response.status() !== 307 && /\.(?:m4s|mp4)$/.test(pathname);
      if (origin === server.origin && isSent) fromServer.push(pathname);
    });
    await use(answers);
    expect(fromServer).toEqual([]);
  },
});

const slider = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
const recordingMs = async (page: Page) => (await look(page)).recordingMs ?? -1;

for (const player of ['the HLS of the browser', 'hls.js'] as const) {
  test(`a viewer goes back through the CDN with ${player}`, async ({
    recorded,
    page,
    answers,
    server: { origin },
    streamName,
  }) => {
    await recorded();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    // As Firefox answers.
    if (player === 'hls.js') await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ''));
    await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted`);
    await expectMovingPicture(page);
    const seconds = async () => Number(await slider(page).getAttribute('max'));
    await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(8);
    await readTimeCodes(page);
    await slider(page).evaluate((input: HTMLInputElement) => {
      input.value = '1';
      input.dispatchEvent(new Event('change'));
    });
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(4_000);
    expect(Number.isNaN((await look(page)).drawnAt), 'the picture can be read').toBe(false);
    expect(faults).toEqual([]);
    if (player === 'hls.js') expect(answers.length).toBeGreaterThan(2);
  });
}

test('a player on another site watches live from the start of the broadcast through the CDN with hls.js', async ({
  recorded,
  page,
  answers,
  otherSite,
  server: { origin },
  streamName,
}) => {
  await recorded();
  const address = `${origin}/api/hls/main/${streamName}?from=live`;
  const status = async () => (await fetch(address, { redirect: 'manual' })).status;
  await expect.poll(status).toBe(307);
  await page.goto(otherSite.put('/watch', '<video muted autoplay playsinline></video>'));
  await page.evaluate(
    async ({ url, script }) => (await import(script)).playHls(document.querySelector('video')!, url, -1, () => {}),
    { url: address, script: `${origin}/hls-player.js` },
  );
  const time = () => page.evaluate(() => document.querySelector('video')!.currentTime);
  await expect.poll(time).toBeGreaterThan(0);
  const from = await time();
  // Longer than what was listed at first: the playlist was loaded again.
  await expect.poll(time, { timeout: 60_000 }).toBeGreaterThan(from + 12);
  expect(answers.filter((answer) => !['MISS', 'HIT'].includes(answer))).toEqual([]);
});
