import type { Page } from '@playwright/test';
import { startCoturn, type TestCoturn } from '../../support/coturn.ts';
import { noteConnections, pathOf } from '../support/connections.ts';
import { openViewer } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

/** The server gives its clients a TURN server. */
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

/** Allows the page only relay candidates. Our client has no such option. */
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
    // The username of a TURN credential contains its expiry and the session, which is also in the log of the server.
    const session = () => /username=<\d+:([0-9a-f]{32})>/.exec(coturn.output())?.[1];
    await expect.poll(session).toBeDefined();
    await expect.poll(() => server.output()).toContain(`"session":"${session()}"`);
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
    await expect
      .poll(peer, { message: 'the answer is applied and all candidates are gathered' })
      .toEqual(['stable', 'complete']);
    expect(await pathOf(page)).toMatchObject({ local: undefined, decoded: 0 });
  });
});
