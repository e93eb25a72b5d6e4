import { once } from 'node:events';
import { ManagementClient } from '../../../src/management.ts';
import { sdpOffer } from '../../support/media/offer.ts';
import { askDirector, openSocket } from '../../support/stream-server.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { expect, test } from '../support/test.ts';

// The first page of the dashboard names few streams, so that no other test may use this server.
test.use({ environment: { SESSIONS_KEPT_DAYS: '29' } });

/** What the client of a viewer reports whose picture froze three times. */
const REPORT = { first: 420, played: 5_000, freezes: 3, frozen: 1, height: 720, packets: 9_900, lost: 100 };

test('the dashboard shows what a viewer reported, for the stream and on the first page', async ({
  server,
  apiSecret,
  address,
  page,
}) => {
  const { origin, streamName } = address;
  const { sessions, statistics } = new ManagementClient({ endpoint: origin, secret: apiSecret });
  const broadcast = await PacketBroadcast.begin(address);
  const body = { streamName, streamAccountId: 'main' };
  const viewer = await openSocket(await askDirector({ origin }, 'subscribe', undefined, body));
  await viewer.command('view', { streamId: streamName, sdp: sdpOffer() });
  await viewer.command('report', REPORT);
  viewer.socket.close();
  await once(viewer.socket, 'close');
  const quality = async () =>
    (await sessions.list(streamName)).sessions.find(({ role, quality }) => role === 'viewer' && quality)?.quality;
  await expect.poll(async () => (await quality())?.freezes).toBe(REPORT.freezes);
  // A page that is open does not read it again.
  await expect.poll(async () => (await statistics.stream(streamName)).total.quality?.freezes).toBe(REPORT.freezes);

  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${origin}/dashboard/statistics${new URL(String(link)).hash}`);
  await page.getByRole('button', { name: `Details of ${streamName}` }).click();
  await expect(page.getByText('What viewers saw')).toBeVisible();
  await expect(page.getByText(`Freezes: ${REPORT.freezes} (`)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('region', { name: 'The last 24 hours' })).toContainText(streamName);
  await broadcast.end();
});
