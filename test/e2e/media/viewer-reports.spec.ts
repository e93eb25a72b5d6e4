import type { Page } from '@playwright/test';
import { ManagementClient, type SessionBody } from '../../../src/management.ts';
import { useBadNetwork } from '../support/bad-network.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { openViewer } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

type ViewerElement = HTMLElement & {
  pause(): void;
  getStats(): Promise<RTCStatsReport | undefined>;
};

/** The freezes that the browser counted. */
const countedFreezes = (page: Page) =>
  page.evaluate(async () => {
    const stats = await document.querySelector<ViewerElement>('stream-viewer')!.getStats();
    const video = [...(stats?.values() ?? [])].find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    return { count: Number(video?.freezeCount), seconds: Number(video?.totalFreezesDuration) };
  });

/** For how many seconds the picture has received nothing. */
const silence = (page: Page) =>
  page.evaluate(async () => {
    const stats = await document.querySelector<ViewerElement>('stream-viewer')!.getStats();
    const video = [...(stats?.values() ?? [])].find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    return (Number(video?.timestamp) - Number(video?.lastPacketReceivedTimestamp)) / 1_000;
  });

const heightOf = (page: Page) => page.evaluate(() => document.querySelector('stream-viewer')!.videoHeight);

/** Ends the session, so that its last report is recorded. */
const leave = (page: Page) => page.evaluate(() => document.querySelector('stream-viewer')!.remove());

/** For how long a viewer is paused, at least. Longer than the time between two reports. */
const PAUSED_S = 5;

// The first page of the dashboard names few streams, so that no other test may use this server.
test.use({ environment: { SESSIONS_KEPT_DAYS: '29' } });

test.describe('the reports of a viewer', () => {
  test('tell the freezes that the browser counted, the picture and the time until it was there', async ({
    server,
    apiSecret,
    streamName,
    broadcast,
    watching,
    context,
  }) => {
    const { origin } = server;
    const { sessions, statistics } = new ManagementClient({ endpoint: origin, secret: apiSecret });
    const viewerSession = async (): Promise<SessionBody | undefined> =>
      (await sessions.list(streamName)).sessions.find(({ role }) => role === 'viewer');
    await broadcast();
    const page = await context.newPage();
    const network = await useBadNetwork(page, { down: { capacity: 10_000_000, delay: 20 } });
    await watching({ page });

    network.changeDown({ loss: 1 });
    await expect.poll(() => silence(page)).toBeGreaterThan(1);
    network.changeDown({ loss: 0 });
    await expect.poll(async () => (await countedFreezes(page)).count).toBeGreaterThan(0);
    const counted = await countedFreezes(page);
    await expect.poll(async () => (await viewerSession())?.quality?.freezes).toBeGreaterThanOrEqual(counted.count);
    const after = await countedFreezes(page);
    const height = await heightOf(page);
    await leave(page);
    await expect.poll(async () => (await viewerSession())?.reason).toBe('left');
    const { id, quality } = (await viewerSession())!;
    test.info().annotations.push({ type: 'quality', description: JSON.stringify({ quality, counted, after }) });

    expect(quality!.freezes!).toBeGreaterThanOrEqual(counted.count);
    expect(quality!.freezes).toBeLessThanOrEqual(after.count);
    expect(quality!.frozenSeconds).toBeGreaterThanOrEqual(counted.seconds - 0.001);
    expect(quality!.frozenSeconds).toBeLessThanOrEqual(after.seconds + 0.001);
    expect(quality).toMatchObject({ device: 'desktop', height });
    expect(quality!.firstPictureSeconds).toBeGreaterThan(0);
    expect(quality!.playedSeconds).toBeGreaterThan(5);
    expect(quality!.loss).toBeGreaterThan(0);
    expect((await sessions.get(streamName, id)).events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['first_picture', 'picture_froze']),
    );
    network.close();

    const dashboard = await context.newPage();
    const { link } = await server.cli('dashboard', '--account', 'main');
    await dashboard.goto(`${origin}/dashboard/statistics${new URL(String(link)).hash}`);
    await dashboard.getByRole('button', { name: `Details of ${streamName}` }).click();
    await expect(dashboard.getByText('What viewers saw')).toBeVisible();
    await expect(dashboard.getByText(`Freezes: ${quality!.freezes} (`)).toBeVisible();
    expect(await accessibilityFaults(dashboard)).toEqual([]);
    await dashboard.getByRole('link', { name: 'Home' }).click();
    await expect(dashboard.getByRole('region', { name: 'The last 24 hours' })).toContainText(streamName);

    await expect.poll(async () => (await statistics.stream(streamName)).total.quality?.freezes).toBe(quality!.freezes);
  });

  test('count no time while the viewer is paused, and are not sent with noreports', async ({
    server: { origin },
    apiSecret,
    streamName,
    broadcast,
    watching,
    context,
  }) => {
    const { sessions } = new ManagementClient({ endpoint: origin, secret: apiSecret });
    await broadcast();
    const silent = await context.newPage();
    await silent.addInitScript(() => {
      new MutationObserver(() => {
        document.querySelector('stream-viewer')?.setAttribute('noreports', '');
      }).observe(document, { childList: true, subtree: true });
    });
    await openViewer(silent, { origin, streamName });
    const page = await watching();
    await page.evaluate(() => document.querySelector<ViewerElement>('stream-viewer')!.pause());
    const open = async () => (await sessions.list(streamName, { state: 'open' })).sessions;
    const watchedAtLeast = async (seconds: number) =>
      (await open()).filter(({ role, watchedSeconds }) => role === 'viewer' && watchedSeconds! >= seconds).length;
    const before = Math.max(...(await open()).map(({ watchedSeconds }) => watchedSeconds ?? 0));
    // The media goes on to reach both viewers while one is paused.
    await expect.poll(() => watchedAtLeast(before + PAUSED_S), { timeout: 60_000 }).toBe(2);
    await leave(page);
    await leave(silent);
    const viewers = async () => (await sessions.list(streamName, { state: 'ended' })).sessions;
    await expect.poll(async () => (await viewers()).length).toBe(2);
    const found = await viewers();
    expect(found.filter(({ quality }) => quality === null)).toHaveLength(1);
    const { watchedSeconds, quality } = found.find((session) => session.quality)!;
    // What it played before is not more than what had reached it, but for the time of a request.
    expect(watchedSeconds! - quality!.playedSeconds!).toBeGreaterThan(PAUSED_S - 1);
  });
});
