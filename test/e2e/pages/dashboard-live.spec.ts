import type { Page } from '@playwright/test';
import type { LiveStreamBody } from '../../../src/wire/management/live-stream.ts';
import type { SessionBody, SessionDelivery } from '../../../src/wire/management/session.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { openViewer, phaseOf, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Opens the hosted viewer in a new tab. Resolves when it is live. */
async function watch(page: Page, origin: string, streamName: string, token?: string): Promise<Page> {
  const viewer = await page.context().newPage();
  await openViewer(viewer, { origin, streamName, token });
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await page.bringToFront();
  return viewer;
}

test('people see a broadcast and its viewers, disconnect and block them, stop it, and read how it went', async ({
  page,
  server,
  tokens,
  streamName,
}) => {
  const { origin } = server;
  const token = await tokens.publish(streamName);
  const ticket = await tokens.create('subscribe_token', { label: streamName, streams: [{ streamName }] });
  const named = `“${streamName}”`;
  await openDashboard(page, server, { path: '/live' });
  await expect(page.getByRole('heading', { level: 1, name: 'Live now' })).toBeVisible();
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token });
  const stranger = await watch(page, origin, streamName);
  const stream = page.getByRole('region', { name: streamName, exact: true });
  const dialog = page.getByRole('dialog');

  await test.step('the broadcast and its viewer', async () => {
    await expect(stream.getByText('Viewers: 1')).toBeVisible();
    await expect(stream.getByRole('img', { name: /^Viewers over time, at most/ })).toBeVisible();
    await expect(stream.getByRole('cell', { name: /^\d+ × \d+$/ }).first()).toBeVisible();
    await expect(stream.getByText(/^Lost packets: /)).toBeVisible();
    await expect(stream.getByText(/ \+ Opus$/)).toBeVisible();
    await stream.getByRole('button', { name: 'Show connections' }).click();
    await expect(stream.getByText('Without a token')).toBeVisible();
    await expect(stream.getByText('An address is blocked on a token. This viewer has none.')).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  await test.step('the viewer is disconnected', async () => {
    await stream.getByRole('button', { name: 'Disconnect 127.0.0.1' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('The viewer at 127.0.0.1 was disconnected.')).toBeVisible();
    await expect(stream.getByText('Nobody watches.')).toBeVisible();
    await expect.poll(() => phaseOf(stranger, 'stream-viewer')).toBe('rejected');
    await stranger.close();
  });

  await test.step('the address of a viewer is blocked on their token', async () => {
    const viewer = await watch(page, origin, streamName, ticket.Token);
    await expect(stream.getByRole('heading', { name: `Broadcasters of ${streamName}` })).toBeVisible();
    const watches = stream.getByRole('listitem').filter({ hasText: `Token ${named}` });
    await watches.getByRole('button', { name: 'Block this address: 127.0.0.1' }).click();
    await expect(dialog.getByRole('heading', { name: `Block 127.0.0.1 on token ${named}?` })).toBeVisible();
    await expect(dialog.getByText(`Sessions on ${streamName} that this ends now: 1`)).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Block this address' }).click();
    await expect(page.getByText(`Token ${named} now refuses 127.0.0.1.`)).toBeVisible();
    await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe('address_denied');
    await expect(viewer.getByText('Your network is blocked').first()).toBeVisible();
    await viewer.close();
    await expect(watches).toHaveCount(0);
    expect((await tokens.get('subscribe_token', ticket.Id))['deniedIpAddresses']).toEqual(['127.0.0.1']);
    // The token of the broadcaster is another one.
    await expect(stream.getByRole('button', { name: 'Block this address: 127.0.0.1' })).toHaveCount(1);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  await test.step('the address is unblocked in the form of the token', async () => {
    await page.getByRole('link', { name: `To undo this, edit token ${named}` }).click();
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
    await (await watch(page, origin, streamName, ticket.Token)).close();
  });

  await test.step('the broadcast is stopped', async () => {
    await page.getByRole('link', { name: 'Live' }).click();
    await stream.getByRole('button', { name: `Stop broadcast of ${streamName}` }).click();
    await dialog.getByRole('button', { name: 'Stop broadcast' }).click();
    await expect(page.getByText(`The broadcast of ${streamName} was stopped.`)).toBeVisible();
    await expect(stream).toHaveCount(0);
    await expect.poll(() => broadcast.isOn).toBe(false);
    await broadcast.end();
  });

  await test.step('the statistics say how it went', async () => {
    // They include a session some seconds after it ended.
    const details = page.getByRole('button', { name: `Details of ${streamName}` });
    await expect(async () => {
      await page.goto(`${origin}/dashboard/statistics`);
      await expect(details).toBeVisible({ timeout: 2_000 });
      await details.click();
      await expect(page.getByText('Ended: Somebody disconnected them')).toBeVisible({ timeout: 2_000 });
    }).toPass();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('listitem').filter({ hasText: 'Somebody disconnected them' }).getByRole('button').click();
    await expect(dialog.getByText('Admitted')).toBeVisible();
    await expect(dialog.getByText('Session ended')).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('button', { name: /^Addresses that used token/ })
      .first()
      .click();
    await expect(dialog.getByText('127.0.0.1')).toBeVisible();
  });
});

test('the address of a broadcaster is blocked on their token, and the broadcast ends', async ({
  page,
  server,
  tokens,
  streamName,
}) => {
  await openDashboard(page, server, { path: '/live?lang=ar' });
  const address = { origin: server.origin, streamName, token: await tokens.publish(streamName) };
  const broadcast = await PacketBroadcast.begin(address);
  const stream = page.getByRole('region', { name: streamName, exact: true });
  await stream.getByRole('button', { name: 'عرض الاتصالات' }).click();
  await stream.getByRole('button', { name: 'حظر هذا العنوان' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'حظر هذا العنوان' }).click();
  await expect(stream).toHaveCount(0);
  await expect.poll(() => broadcast.isOn).toBe(false);
  await broadcast.end();
  await expect(PacketBroadcast.begin(address), 'the token refuses the address').rejects.toThrow('IP Address denied');
});

test.describe('the live page, where the server answers', () => {
  const MINUTE = Date.parse('2030-01-01T10:40:00Z');
  const LIVE: LiveStreamBody = {
    streamName: 'keynote',
    liveSince: new Date(MINUTE - 40_000).toISOString(),
    viewers: 1,
    viewersOverTime: [{ time: new Date(MINUTE - 40_000).toISOString(), viewers: 1 }],
    sources: [
      {
        sourceId: null,
        tokenId: 1,
        liveSince: new Date(MINUTE - 40_000).toISOString(),
        connected: true,
        recording: false,
        tracks: ['audio', 'video'],
        videoBitrate: 1_000_000,
        encodings: [{ id: '0', active: true, width: 640, height: 360, bitrate: 1_000_000 }],
        reception: { videoCodec: 'vp8', audioCodec: 'opus', loss: 0, shed: 0, jitterSeconds: 0.001 },
        notices: [],
      },
    ],
  };
  const SESSION: SessionBody = {
    id: 'a',
    streamName: 'keynote',
    role: 'publisher',
    protocol: 'websocket',
    tokenId: 1,
    address: '192.0.2.1',
    country: null,
    origin: null,
    openedOn: LIVE.liveSince,
    connectedOn: LIVE.liveSince,
    firstMediaOn: LIVE.liveSince,
    lastSeenOn: LIVE.liveSince,
    endedOn: null,
    reason: null,
    watchedSeconds: 0,
    broadcastSeconds: 40,
    reconnects: 0,
    quality: null,
    delivery: null,
  };
  const [SOURCE] = LIVE.sources;
  const DELIVERY: SessionDelivery = {
    bitrate: 900_000,
    availableBitrate: null,
    encoding: '0',
    spatialLayer: null,
    temporalLayer: null,
    width: 640,
    height: 360,
    failedSends: 1_234,
  };

  /** Answers with these streams and sessions. */
  async function answer(page: Page, streams: () => readonly object[], sessions: readonly object[] = [SESSION]) {
    const json = (data: unknown) => ({ json: { status: 'success', data, next: null } });
    await page.route('**/api/live', (route) => route.fulfill(json(streams())));
    await page.route(/\/api\/streams\/[^/]+\/sessions\b/, (route) => route.fulfill(json(sessions)));
    await page.route(/\/api\/streams\/[^/]+\/still\b/, (route) => route.fulfill({ status: 404, body: '' }));
  }

  test('that it left out frames and could not send packets, as counted beside source and viewer', async ({
    page,
    server,
  }) => {
    const reception = { ...SOURCE!.reception, shed: 56 };
    const viewer = { ...SESSION, id: 'b', role: 'viewer', tokenId: null, delivery: DELIVERY };
    await answer(page, () => [{ ...LIVE, sources: [{ ...SOURCE, reception }] }], [SESSION, viewer]);
    await openDashboard(page, server, { path: '/live' });
    await expect(page.getByText('Frames left out: 56')).toBeVisible();
    await expect(page.getByText('The server is too busy to forward everything.')).toBeVisible();
    await page.getByRole('button', { name: 'Show connections' }).click();
    await expect(page.getByText('Packets that could not be sent: 1,234')).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('somebody who may see figures only, who finds no button that ends something, and reads who has it', async ({
    page,
    server,
  }) => {
    const { link } = await server.cli('member', 'invite', '--name', 'Eva', '--role', 'figures', '--account', 'main');
    await answer(page, () => [LIVE], [SESSION, { ...SESSION, id: 'b', role: 'viewer' }]);
    await page.goto(`${server.origin}/dashboard/live${new URL(String(link)).hash}`);
    await page.getByRole('button', { name: 'Show connections' }).click();
    const stream = page.getByRole('region', { name: 'keynote' });
    await expect(stream.getByRole('listitem')).toHaveCount(2);
    await expect(stream.getByRole('button')).toHaveText(['Hide connections']);
    await expect(page.getByText('Owners and managers of the account stop broadcasts')).toBeVisible();
  });

  test('that a source is recorded, clipped and no longer recorded', async ({ page, server }) => {
    const calls: { path: string; body: unknown }[] = [];
    let recording = false;
    await answer(page, () => [{ ...LIVE, sources: [{ ...SOURCE, recording }] }]);
    await page.route(/\/api\/streams\/[^/]+\/(record|clips)$/, async (route) => {
      const path = new URL(route.request().url()).pathname.split('/').at(-1)!;
      const body = route.request().postDataJSON();
      calls.push({ path, body });
      if (path === 'record') recording = body.record;
      if (path === 'clips' && calls.length < 3) {
        const data = { message: 'The space for recordings is used up', code: 'quota_exceeded' };
        return route.fulfill({ status: 409, json: { status: 'fail', data } });
      }
      return route.fulfill({ json: { status: 'success', data: path === 'record' ? true : CLIP } });
    });
    await openDashboard(page, server, { path: '/live' });
    const stream = page.getByRole('region', { name: 'keynote', exact: true });
    await stream.getByRole('button', { name: 'Record' }).click();
    await expect(page.getByText('keynote is being recorded.')).toBeVisible();
    await expect(stream.getByText('REC', { exact: false }).first()).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);

    await stream.getByRole('button', { name: 'Clip of the last 30 sec' }).click();
    await expect(page.getByText('The space for recordings is used up')).toBeVisible();
    await stream.getByRole('button', { name: 'Clip of the last 5 min' }).click();
    await expect(page.getByText('The clip of keynote is being made.')).toBeVisible();
    await stream.getByRole('button', { name: 'Stop recording' }).click();
    await expect(page.getByText('keynote is no longer recorded.')).toBeVisible();
    await expect(stream.getByRole('button', { name: /^Clip/ })).toHaveCount(0);
    expect(calls).toEqual([
      { path: 'record', body: { record: true, sourceId: null } },
      { path: 'clips', body: { seconds: 30, sourceId: null } },
      { path: 'clips', body: { seconds: 300, sourceId: null } },
      { path: 'record', body: { record: false, sourceId: null } },
    ]);
  });

  test('that a stream began less than a minute ago: its chart shows the whole time, in every writing', async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width: 1_200, height: 900 });
    await page.clock.setFixedTime(MINUTE + 100);
    await answer(page, () => [LIVE]);
    await openDashboard(page, server, { path: '/live' });
    const canvas = page.getByRole('region', { name: 'keynote', exact: true }).locator('time-chart canvas');
    for (const lang of ['en', 'ar', 'zh']) {
      await page.goto(`${server.origin}/dashboard/live?lang=${lang}`);
      await expect(canvas).toBeVisible();
      const [filled, width] = await canvas.evaluate((element: HTMLCanvasElement) => {
        const { width, height } = element;
        const { data } = element.getContext('2d')!.getImageData(0, 0, width, height);
        const isFilled = (column: number) =>
          Array.from({ length: height }).some((_, row) => data[(row * width + column) * 4 + 3] !== 0);
        return [Array.from({ length: width }).findLastIndex((_, column) => isFilled(column)), width] as const;
      });
      expect(filled, lang).toBeGreaterThan(0);
      // A text that was cut off would end in the last column.
      expect(filled, lang).toBeLessThan(width - 1);
    }
  });

  test('that nothing is live, and that it cannot be reached', async ({ page, server }) => {
    await answer(page, () => []);
    const account = await newAccount(server, 'nothing-live');
    await openDashboard(page, server, { path: '/live?lang=de', account });
    await expect(page.getByRole('heading', { level: 1, name: 'Jetzt live' })).toBeVisible();
    await expect(page.getByText('Nichts ist live.')).toBeVisible();
    await page.route('**/api/stats/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Statistik' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.unroute('**/api/stats/**');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await expect(page.getByRole('heading', { name: 'Übertragungen' })).toBeVisible();
  });

  const CLIP = {
    id: 'a'.repeat(22),
    kind: 'clip',
    state: 'finishing',
    fault: null,
    bytes: 0,
    streamName: 'keynote',
    sourceId: null,
    tokenId: 1,
    videoCodec: null,
    audioCodec: null,
    width: null,
    height: null,
    container: null,
    hasRewind: true,
    startedOn: '2026-11-20T18:00:00Z',
    endedOn: null,
    durationSeconds: 30,
    expiresOn: null,
  };
});
