import type { Page } from '@playwright/test';
import { expectMovingPicture, expectSound, goLive, openBroadcaster, openViewer } from './support/pages.ts';
import { expect, test } from './support/test.ts';

interface Watched {
  /** Every connection that the page made. */
  peers: RTCPeerConnection[];
}

/** Notes the page's connections. Without UDP it hears of no address of the server's but those for TCP. */
async function watch(page: Page, { withUdp }: { withUdp: boolean }): Promise<void> {
  await page.addInitScript((withUdp) => {
    const watched = window as unknown as Watched;
    watched.peers = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        watched.peers.push(this);
      }
      override setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
        const heard = withUdp ? sdp : sdp.replaceAll(/a=candidate:\S+ 1 UDP .*\r\n/g, '');
        return super.setRemoteDescription({ type, sdp: heard });
      }
    };
  }, withUdp);
}

/** What the page's newest connection goes through, and how many frames came and went. */
function pathOf(page: Page): Promise<{ protocol?: string; tcpType?: string; decoded: number; sent: number }> {
  return page.evaluate(async () => {
    const { peers } = window as unknown as Watched;
    const stats = [...((await peers.at(-1)?.getStats()) ?? new Map()).values()];
    const { selectedCandidatePairId } = stats.find(({ type }) => type === 'transport') ?? {};
    const pair = stats.find(({ id }) => id === selectedCandidatePairId);
    const local = stats.find(({ id }) => id === pair?.localCandidateId);
    const video = (type: string) => stats.find((entry) => entry.type === type && entry.kind === 'video');
    return {
      protocol: local?.protocol,
      tcpType: local?.tcpType,
      decoded: video('inbound-rtp')?.framesDecoded ?? 0,
      sent: video('outbound-rtp')?.framesSent ?? 0,
    };
  });
}

test.describe('a page whose network lets no UDP out', () => {
  test('watches by TCP', async ({ server, streamName, context, broadcast }) => {
    const { origin } = server;
    await broadcast();
    const viewer = await context.newPage();
    await watch(viewer, { withUdp: false });
    await openViewer(viewer, { origin, streamName });
    await expectMovingPicture(viewer);
    await expectSound(viewer);
    const path = await pathOf(viewer);
    expect(path).toMatchObject({ protocol: 'tcp', tcpType: 'active' });
    await expect.poll(async () => (await pathOf(viewer)).decoded).toBeGreaterThan(path.decoded + 10);
  });

  test('goes live by TCP', async ({ server, tokens, streamName, context, watching }) => {
    const { origin } = server;
    const broadcaster = await context.newPage();
    await watch(broadcaster, { withUdp: false });
    await openBroadcaster(broadcaster, { origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    expect(await pathOf(broadcaster)).toMatchObject({ protocol: 'tcp', tcpType: 'active' });
    await watching();
    const { sent } = await pathOf(broadcaster);
    await expect.poll(async () => (await pathOf(broadcaster)).sent).toBeGreaterThan(sent + 10);
  });
});

test('a page that is let out by UDP takes that', async ({ server, tokens, streamName, context }) => {
  const { origin } = server;
  const broadcaster = await context.newPage();
  await watch(broadcaster, { withUdp: true });
  await openBroadcaster(broadcaster, { origin, streamName, token: await tokens.publish(streamName) });
  await goLive(broadcaster);
  const viewer = await context.newPage();
  await watch(viewer, { withUdp: true });
  await openViewer(viewer, { origin, streamName });
  await expectMovingPicture(viewer);
  for (const page of [broadcaster, viewer]) await expect.poll(async () => (await pathOf(page)).protocol).toBe('udp');
});
