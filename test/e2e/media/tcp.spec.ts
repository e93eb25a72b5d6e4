import type { Page } from '@playwright/test';
import { noteConnections, pathOf } from '../support/connections.ts';
import { expectSound } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Removes the UDP candidates from each SDP answer that the page receives. */
async function blockUdp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.RTCPeerConnection = class extends RTCPeerConnection {
      override setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
        return super.setRemoteDescription({ type, sdp: sdp.replaceAll(/a=candidate:\S+ 1 UDP .*\r\n/g, '') });
      }
    };
  });
}

const BY_TCP = { protocol: 'tcp', tcpType: 'active' };

test.describe('a page whose network blocks UDP', () => {
  test.beforeEach(async ({ page }) => {
    await noteConnections(page);
    await blockUdp(page);
  });

  test('watches by TCP', async ({ page, broadcast, watching }) => {
    await broadcast();
    await watching({ page });
    await expectSound(page);
    const { local, decoded } = await pathOf(page);
    expect(local).toMatchObject(BY_TCP);
    await expect.poll(async () => (await pathOf(page)).decoded).toBeGreaterThan(decoded + 10);
  });

  test('goes live by TCP', async ({ page, broadcast, watching }) => {
    await broadcast({ page });
    expect((await pathOf(page)).local).toMatchObject(BY_TCP);
    await watching();
    const { sent } = await pathOf(page);
    await expect.poll(async () => (await pathOf(page)).sent).toBeGreaterThan(sent + 10);
  });
});

test('a page whose network allows UDP uses UDP', async ({ context, broadcast, watching }) => {
  const pages = [await context.newPage(), await context.newPage()] as const;
  for (const page of pages) await noteConnections(page);
  await broadcast({ page: pages[0] });
  await watching({ page: pages[1] });
  for (const page of pages) await expect.poll(async () => (await pathOf(page)).local?.protocol).toBe('udp');
});
