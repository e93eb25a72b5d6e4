import type { Page } from '@playwright/test';
import { startCoturn, type TestCoturn } from '../support/coturn.ts';
import { startServer } from '../support/server-process.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer } from './support/pages.ts';
import { expect, test as base } from './support/test.ts';

declare global {
  interface Window {
    /** Every connection that the page made. */
    peers: RTCPeerConnection[];
  }
}

/** A server that tells its clients of a TURN server. */
const test = base.extend<object, { coturn: TestCoturn }>({
  coturn: [
    async ({}, use) => {
      const coturn = await startCoturn();
      await use(coturn);
      await coturn.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ coturn: { port, secret } }, use) => {
      const server = await startServer({ TURN_URLS: `turn:127.0.0.1:${port}?transport=udp`, TURN_SECRET: secret });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

/** From now on the page connects by relay or not at all. Our client has no such option: the network decides. */
async function useRelayOnly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.peers = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: 'relay' });
        window.peers.push(this);
      }
    };
  });
}

/** What the page's newest connection goes through, and how many frames came and went. */
function pathOf(page: Page): Promise<{ type?: string; relayProtocol?: string; decoded: number; sent: number }> {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const { selectedCandidatePairId } = stats.find(({ type }) => type === 'transport') ?? {};
    const pair = stats.find(({ id }) => id === selectedCandidatePairId);
    const local = stats.find(({ id }) => id === pair?.localCandidateId);
    const video = (type: string) => stats.find((entry) => entry.type === type && entry.kind === 'video');
    return {
      type: local?.candidateType,
      relayProtocol: local?.relayProtocol,
      decoded: video('inbound-rtp')?.framesDecoded ?? 0,
      sent: video('outbound-rtp')?.framesSent ?? 0,
    };
  });
}

test.describe('behind a network that only a TURN server leads out of', () => {
  test('a viewer sees the picture by relay', async ({ server, streamName, context, coturn, broadcast }) => {
    const { origin } = server;
    await broadcast();

    const viewer = await context.newPage();
    await useRelayOnly(viewer);
    await openViewer(viewer, { origin, streamName });
    await expectMovingPicture(viewer);
    const path = await pathOf(viewer);
    expect(path).toMatchObject({ type: 'relay', relayProtocol: 'udp' });
    await expect.poll(async () => (await pathOf(viewer)).decoded).toBeGreaterThan(path.decoded + 10);
    // The name of a credential is the moment it ends and its session, which the log of the server has.
    const [, session] = /username=<\d+:([0-9a-f]{32})>/.exec(coturn.output()) ?? [];
    expect(server.output()).toContain(`"session":"${session}"`);
  });

  test('a broadcaster goes live by relay', async ({ server, tokens, streamName, context, watching }) => {
    const { origin } = server;
    const broadcaster = await context.newPage();
    await useRelayOnly(broadcaster);
    await openBroadcaster(broadcaster, { origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    const path = await pathOf(broadcaster);
    expect(path).toMatchObject({ type: 'relay', relayProtocol: 'udp' });

    await watching();
    await expect.poll(async () => (await pathOf(broadcaster)).sent).toBeGreaterThan(path.sent + 10);
  });

  test('a page that was told of no TURN server cannot connect by relay', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const viewer = await context.newPage();
    await useRelayOnly(viewer);
    await viewer.route('**/api/director/subscribe', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, data: { ...body.data, iceServers: [] } } });
    });
    await openViewer(viewer, {
      origin: server.origin,
      streamName,
      token: await tokens.subscribe(streamName),
    });
    const peer = () =>
      viewer.evaluate(() => {
        const { signalingState, iceGatheringState } = window.peers.at(-1)!;
        return [signalingState, iceGatheringState];
      });
    await expect.poll(peer, { message: 'it was answered, and has looked everywhere' }).toEqual(['stable', 'complete']);
    expect(await pathOf(viewer)).toMatchObject({ type: undefined, decoded: 0 });
  });
});
