import type { Page } from '@playwright/test';
import { noteConnections, pathOf } from '../support/connections.ts';
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

test('pages whose networks block UDP go live and watch by TCP', async ({ context, broadcast, watching }) => {
  const pages = [await context.newPage(), await context.newPage()] as const;
  for (const page of pages) {
    await noteConnections(page);
    await blockUdp(page);
  }
  await broadcast({ page: pages[0] });
  await watching({ page: pages[1] });
  for (const page of pages) {
    expect((await pathOf(page)).local).toMatchObject({ protocol: 'tcp', tcpType: 'active' });
  }
});
