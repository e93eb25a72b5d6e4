import type { Page } from '@playwright/test';
import { Cleanup } from '../../support/cleanup.ts';
import { dataFolder } from '../../support/data-folder.ts';
import { freePort } from '../../support/free-port.ts';
import { startHlsCache } from '../../support/hls-cache.ts';
import { expectMovingPicture } from '../support/pages.ts';
import { RecordingServer } from '../support/recording-server.ts';
import { RewindingPage } from '../support/rewinding-page.ts';
import { expect, test as base } from '../support/test.ts';

interface RecordedBehindCdn {
  readonly recorded: RecordingServer;
  /** How nginx answered each request of a page for a segment. Chromium does not show those of its own player. */
  readonly answersOf: (page: Page) => readonly string[];
  /** The files that the server itself sent. */
  readonly fromServer: readonly string[];
}

const test = base.extend<{ behindCdn: RecordedBehindCdn }>({
  behindCdn: async ({}, use) => {
    const cleanup = new Cleanup();
    const port = await freePort();
    const cdn = `http://127.0.0.1:${port}`;
    const recorded = await RecordingServer.start({ HLS_CDN_URL: cdn });
    cleanup.after(() => recorded.close());
    const origin = Number(new URL(recorded.origin).port);
    // nginx, as the guide configures it.
    await startHlsCache(cleanup, { folder: await dataFolder(cleanup), port, origin });
    const fromServer: string[] = [];
    const answersOf = (page: Page): string[] => {
      const answers: string[] = [];
      page.on('response', (response) => {
        const { origin: from, pathname } = new URL(response.url());
        if (from === cdn) answers.push(response.headers()['x-cache-status'] ?? String(response.status()));
        // The server only says where they are.
        const isSent = response.status() !== 307 && /\.(?:m4s|mp4)$/.test(pathname);
        if (from === recorded.origin && isSent) fromServer.push(pathname);
      });
      return answers;
    };
    await use({ recorded, answersOf, fromServer });
    await cleanup.run();
  },
});

test('viewers go back through the CDN in every player, and a player on another site watches live', async ({
  behindCdn: { recorded, answersOf, fromServer },
  context,
  otherSite,
}) => {
  const streamName = await recorded.nextStream();
  recorded.record({ seconds: 20, isOpen: true });
  await recorded.goLive();
  const { origin } = recorded;

  const goesBack = async (player: 'the HLS of the browser' | 'hls.js') => {
    const page = await context.newPage();
    const [viewer, answers] = [new RewindingPage(page), answersOf(page)];
    await viewer.open({ origin, streamName }, { player });
    await expectMovingPicture(page);
    await viewer.seekTo(1);
    // The second segment plays, too.
    await expect.poll(() => viewer.time()).toBeGreaterThan(2.5);
    expect(viewer.faults).toEqual([]);
    if (player === 'hls.js') expect(answers.length).toBeGreaterThan(2);
  };
  const watchesLive = async () => {
    const page = await context.newPage();
    const answers = answersOf(page);
    const playlists: string[] = [];
    page.on('request', (request) => request.url().includes('live.m3u8') && playlists.push(request.url()));
    await page.goto(otherSite.put('/watch', '<video muted autoplay playsinline></video>'));
    const url = `${origin}/api/hls/main/${streamName}?from=live`;
    await page.evaluate(
      async ({ address, script }) =>
        (await import(script)).playHls(document.querySelector('video')!, address, -1, () => {}),
      { address: url, script: `${origin}/hls-player.js` },
    );
    await expect.poll(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBeGreaterThan(0);
    // The playlist is loaded again, and what is new in it.
    const [listed, loaded] = [playlists.length, answers.length];
    await expect.poll(() => playlists.length > listed && answers.length > loaded).toBe(true);
    expect(answers.filter((answer) => !['MISS', 'HIT'].includes(answer))).toEqual([]);
  };
  await Promise.all([goesBack('the HLS of the browser'), goesBack('hls.js'), watchesLive()]);
  expect(fromServer).toEqual([]);
});
