import type { Page } from '@playwright/test';
import { startCoturn, type TestCoturn } from '../../support/coturn.ts';
import { noteConnections, pathOf } from '../support/connections.ts';
import { openViewer } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

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
  environment: [
    async ({ coturn: { port, secret } }, use) =>
      use({ TURN_URLS: `turn:127.0.0.1:${port}?transport=udp`, TURN_SECRET: secret }),
    { scope: 'worker' },
  ],
});

/** From now on the page connects by relay or not at all. Our client has no such option: the network decides. */
async function useRelayOnly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: 'relay' });
      }
    };
  });
}

const BY_RELAY = { candidateType: 'relay', relayProtocol: 'udp' };

test.describe('behind a network that only a TURN server gets through', () => {
  test.beforeEach(async ({ page }) => {
    await noteConnections(page);
    await useRelayOnly(page);
  });

  test('a viewer sees the picture by relay', async ({ server, coturn, page, broadcast, watching }) => {
    await broadcast();
    await watching({ page });
    const { local, decoded } = await pathOf(page);
    expect(local).toMatchObject(BY_RELAY);
    await expect.poll(async () => (await pathOf(page)).decoded).toBeGreaterThan(decoded + 10);
    // The name of a credential is the moment it ends and its session, which the log of the server has.
    const [, session] = /username=<\d+:([0-9a-f]{32})>/.exec(coturn.output()) ?? [];
    expect(server.output()).toContain(`"session":"${session}"`);
  });

  test('a broadcaster goes live by relay', async ({ page, broadcast, watching }) => {
    await broadcast({ page });
    const { local, sent } = await pathOf(page);
    expect(local).toMatchObject(BY_RELAY);

    await watching();
    await expect.poll(async () => (await pathOf(page)).sent).toBeGreaterThan(sent + 10);
  });

  test('a page without a TURN server cannot connect by relay', async ({ server, tokens, streamName, page }) => {
    await page.route('**/api/director/subscribe', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, data: { ...body.data, iceServers: [] } } });
    });
    await openViewer(page, { origin: server.origin, streamName, token: await tokens.subscribe(streamName) });
    const peer = () =>
      page.evaluate(() => {
        const { signalingState, iceGatheringState } = window.peers.at(-1)!;
        return [signalingState, iceGatheringState];
      });
    await expect.poll(peer, { message: 'it was answered, and has looked everywhere' }).toEqual(['stable', 'complete']);
    expect(await pathOf(page)).toMatchObject({ local: undefined, decoded: 0 });
  });
});
