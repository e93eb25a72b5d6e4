import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { phaseOf, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test('a broadcast and its viewer appear on the live page, and the viewer can be disconnected', async ({
  page,
  server,
  streamName,
  broadcast,
  watching,
}) => {
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Live now' })).toBeVisible();
  await broadcast();
  const viewer = await watching();
  await page.bringToFront();

  const stream = page.getByRole('region', { name: streamName, exact: true });
  await expect(stream.getByText('Viewers: 1')).toBeVisible();
  await expect(stream.getByRole('img', { name: /^Viewers over time, at most/ })).toBeVisible();
  await expect(stream.getByRole('cell', { name: /^\d+ × \d+$/ }).first()).toBeVisible();
  await expect(stream.getByText(/^Lost packets: /)).toBeVisible();
  await expect(stream.getByText(/ \+ Opus$/)).toBeVisible();
  await stream.getByRole('button', { name: 'Show connections' }).click();
  await expect(stream.getByText('Without a token')).toBeVisible();
  await expect(stream.getByText('An address is blocked on a token. This viewer has none.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await stream.getByRole('button', { name: 'Disconnect 127.0.0.1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('The viewer at 127.0.0.1 was disconnected.')).toBeVisible();
  await expect(stream.getByText('Nobody watches.')).toBeVisible();
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('rejected');

  await stream.getByRole('button', { name: `Stop broadcast of ${streamName}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop broadcast' }).click();
  await expect(page.getByText(`The broadcast of ${streamName} was stopped.`)).toBeVisible();
  await expect(stream).toHaveCount(0);

  // The statistics include a session some seconds after it ended.
  const details = page.getByRole('button', { name: `Details of ${streamName}` });
  await expect(async () => {
    await page.goto(`${server.origin}/dashboard/statistics`);
    await expect(details).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await details.click();
  await expect(page.getByText('Ended: Somebody disconnected them')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('listitem').filter({ hasText: 'Somebody disconnected them' }).getByRole('button').click();
  const timeline = page.getByRole('dialog');
  await expect(timeline.getByText('Admitted')).toBeVisible();
  await expect(timeline.getByText('Session ended')).toBeVisible();
  await timeline.getByRole('button', { name: 'Done' }).click();

  await page
    .getByRole('button', { name: /^Addresses that used token/ })
    .first()
    .click();
  await expect(page.getByRole('dialog').getByText('127.0.0.1')).toBeVisible();
});

test('what a busy server left out, and could not send to a viewer, is counted beside the source and the viewer', async ({
  page,
  server,
  streamName,
  broadcast,
  watching,
}) => {
  // This server is not too busy, and the loopback interface takes every packet.
  await page.route('**/api/live', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const { sources } of body.data) for (const { reception } of sources) if (reception) reception.shed = 56;
    await route.fulfill({ response, json: body });
  });
  await page.route(/\/api\/streams\/[^/]+\/sessions\b/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const { delivery } of body.data) if (delivery) delivery.failedSends = 1_234;
    await route.fulfill({ response, json: body });
  });
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
  await broadcast();
  await watching();
  await page.bringToFront();
  const stream = page.getByRole('region', { name: streamName, exact: true });
  await expect(stream.getByText('Frames left out: 56')).toBeVisible();
  await expect(stream.getByText('The server is too busy to forward everything.')).toBeVisible();
  await stream.getByRole('button', { name: 'Show connections' }).click();
  await expect(stream.getByText('Packets that could not be sent: 1,234')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('the address of a viewer is blocked on their token, and unblocked in the form of the token', async ({
  page,
  server,
  streamName,
  tokens,
  broadcast,
  watching,
}) => {
  const ticket = await tokens.create('subscribe_token', { label: streamName, streams: [{ streamName }] });
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
  await broadcast();
  const viewer = await watching({ token: ticket.Token });
  await page.bringToFront();

  const stream = page.getByRole('region', { name: streamName, exact: true });
  await stream.getByRole('button', { name: 'Show connections' }).click();
  await expect(stream.getByRole('heading', { name: `Broadcasters of ${streamName}` })).toBeVisible();
  const watches = stream.getByRole('listitem').filter({ hasText: `Token ${ticket.Id}` });
  await watches.getByRole('button', { name: 'Block this address: 127.0.0.1' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: `Block 127.0.0.1 on token ${ticket.Id}?` })).toBeVisible();
  await expect(dialog.getByText(`Sessions on ${streamName} that this ends now: 1`)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Block this address' }).click();
  await expect(page.getByText(`Token ${ticket.Id} now refuses 127.0.0.1.`)).toBeVisible();
  await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe('address_denied');
  await expect(viewer.getByText('Your network is blocked').first()).toBeVisible();
  await expect(watches).toHaveCount(0);
  expect((await tokens.get('subscribe_token', ticket.Id))['deniedIpAddresses']).toEqual(['127.0.0.1']);
  // The token of the broadcaster is another one.
  await expect(stream.getByRole('button', { name: 'Block this address: 127.0.0.1' })).toHaveCount(1);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('link', { name: `To undo this, edit token ${ticket.Id}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${streamName}` })).toBeVisible();
  const denied = page.getByRole('textbox', { name: 'IP addresses that are refused' });
  await expect(denied).toHaveValue('127.0.0.1');
  await denied.fill('127.1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('127.1: must be an IPv4 or IPv6 address')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await denied.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${streamName} is saved.`)).toBeVisible();
  expect((await tokens.get('subscribe_token', ticket.Id))['deniedIpAddresses']).toEqual([]);
  await watching({ page: viewer, token: ticket.Token });
});

test('the address of a broadcaster is blocked on their token, and the broadcast ends', async ({
  page,
  server,
  streamName,
  broadcast,
}) => {
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live?lang=ar${new URL(String(link)).hash}`);
  const broadcaster = await broadcast();
  await page.bringToFront();
  const stream = page.getByRole('region', { name: streamName, exact: true });
  await stream.getByRole('button', { name: 'عرض الاتصالات' }).click();
  await stream.getByRole('button', { name: 'حظر هذا العنوان' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'حظر هذا العنوان' }).click();
  await expect.poll(() => refusalCodeOf(broadcaster, 'stream-broadcaster')).toBe('address_denied');
  await expect(stream).toHaveCount(0);
});

test('a viewer of figures cannot block addresses', async ({ page, server, streamName, broadcast }) => {
  const { link } = await server.cli('member', 'invite', '--name', 'Eva', '--role', 'figures', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
  await broadcast();
  await page.bringToFront();
  const stream = page.getByRole('region', { name: streamName, exact: true });
  await stream.getByRole('button', { name: 'Show connections' }).click();
  await expect(stream.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Block/ })).toHaveCount(0);
});

test('the pages without broadcasts say so', async ({ page, server }) => {
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live?lang=de${new URL(String(link)).hash}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Jetzt live' })).toBeVisible();
  await page.context().route('**/api/live', (route) => route.fulfill({ json: { status: 'success', data: [] } }));
  await expect(page.getByText('Nichts ist live.')).toBeVisible();
  await page.context().route('**/api/stats/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Statistik' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.context().unroute('**/api/stats/**');
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await expect(page.getByRole('heading', { name: 'Übertragungen' })).toBeVisible();
});

test('a source is recorded, clipped and no longer recorded', async ({ page, server, streamName, broadcast }) => {
  const calls: { path: string; body: unknown }[] = [];
  let recording = false;
  await page.route('**/api/live', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const { sources } of body.data) for (const source of sources) source.recording = recording;
    await route.fulfill({ response, json: body });
  });
  await page.route(/\/api\/streams\/[^/]+\/(record|clips)$/, async (route) => {
    const path = new URL(route.request().url()).pathname.split('/').at(-1)!;
    const body = route.request().postDataJSON();
    calls.push({ path, body });
    if (path === 'record') recording = body.record;
    if (path === 'clips' && calls.length < 3) {
      const data = { message: 'The space for recordings is used up', code: 'quota_exceeded' };
      return route.fulfill({ status: 409, json: { status: 'fail', data } });
    }
    const codecs = { videoCodec: null, audioCodec: null, width: null, height: null, container: null, hasRewind: true };
    const times = { startedOn: '2026-11-20T18:00:00Z', endedOn: null, durationSeconds: 30, expiresOn: null };
    const source = { streamName, sourceId: null, tokenId: 1 };
    const clip = {
      id: 'a'.repeat(22),
      kind: 'clip',
      state: 'finishing',
      fault: null,
      bytes: 0,
      ...source,
      ...codecs,
      ...times,
    };
    return route.fulfill({ json: { status: 'success', data: path === 'record' ? true : clip } });
  });
  await broadcast();
  const { link } = await server.cli('dashboard', '--account', 'main');
  await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
  await page.bringToFront();
  const stream = page.getByRole('region', { name: streamName, exact: true });
  await stream.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText(`${streamName} is being recorded.`)).toBeVisible();
  await expect(stream.getByText('REC', { exact: false }).first()).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await stream.getByRole('button', { name: 'Clip of the last 30 sec' }).click();
  await expect(page.getByText('The space for recordings is used up')).toBeVisible();
  await stream.getByRole('button', { name: 'Clip of the last 5 min' }).click();
  await expect(page.getByText(`The clip of ${streamName} is being made.`)).toBeVisible();
  await stream.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByText(`${streamName} is no longer recorded.`)).toBeVisible();
  await expect(stream.getByRole('button', { name: /^Clip/ })).toHaveCount(0);
  expect(calls).toEqual([
    { path: 'record', body: { record: true, sourceId: null } },
    { path: 'clips', body: { seconds: 30, sourceId: null } },
    { path: 'clips', body: { seconds: 300, sourceId: null } },
    { path: 'record', body: { record: false, sourceId: null } },
  ]);
});

for (const lang of ['en', 'ar', 'zh']) {
  test.describe(`the chart of a stream that is less than a minute old, in ${lang}`, () => {
    test.use({ viewport: { width: 1_200, height: 900 } });

    test('shows the whole time of a minute that has just begun', async ({ page, server, streamName, broadcast }) => {
      const minute = Date.parse('2030-01-01T10:40:00Z');
      await page.clock.setFixedTime(minute + 100);
      await page.route('**/api/live', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        for (const stream of body.data) {
          stream.viewersOverTime = [{ time: new Date(minute - 40_000).toISOString(), viewers: 1 }];
        }
        await route.fulfill({ response, json: body });
      });
      await broadcast();
      const { link } = await server.cli('dashboard', '--account', 'main');
      await page.goto(`${server.origin}/dashboard/live?lang=${lang}${new URL(String(link)).hash}`);
      await page.bringToFront();
      const stream = page.getByRole('region', { name: streamName, exact: true });
      const canvas = stream.locator('time-chart canvas');
      await expect(canvas).toBeVisible();
      const [filled, width] = await canvas.evaluate((element: HTMLCanvasElement) => {
        const { width, height } = element;
        const { data } = element.getContext('2d')!.getImageData(0, 0, width, height);
        const isFilled = (column: number) =>
          Array.from({ length: height }).some((_, row) => data[(row * width + column) * 4 + 3] !== 0);
        return [Array.from({ length: width }).findLastIndex((_, column) => isFilled(column)), width] as const;
      });
      expect(filled).toBeGreaterThan(0);
      // A text that was cut off would end in the last column.
      expect(filled).toBeLessThan(width - 1);
    });
  });
}
