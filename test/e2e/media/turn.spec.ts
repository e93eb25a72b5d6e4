import type { Page } from '@playwright/test';
import { startCoturn, type TestCoturn } from '../../support/coturn.ts';
import { noteConnections, pathOf } from '../support/connections.ts';
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

test('behind networks that only a TURN server gets through, pages go live and watch by relay', async ({
  server,
  coturn,
  context,
  broadcast,
  watching,
}) => {
  const pages = [await context.newPage(), await context.newPage()] as const;
  for (const page of pages) {
    await noteConnections(page);
    await useRelayOnly(page);
  }
  await broadcast({ page: pages[0] });
  await watching({ page: pages[1] });
  for (const page of pages) {
    expect((await pathOf(page)).local).toMatchObject({ candidateType: 'relay', relayProtocol: 'udp' });
  }
  // The username of a TURN credential contains its expiry and the session, which is also in the log of the server.
  const session = () => /username=<\d+:([0-9a-f]{32})>/.exec(coturn.output())?.[1];
  await expect.poll(session).toBeDefined();
  await expect.poll(() => server.output()).toContain(`"session":"${session()}"`);
});
