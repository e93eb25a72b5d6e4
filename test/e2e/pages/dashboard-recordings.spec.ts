import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

const aRecording = (change: object = {}) => ({
  id: 'a'.repeat(22),
  kind: 'broadcast',
  streamName: 'keynote',
  sourceId: null,
  tokenId: 7,
  state: 'ready',
  fault: null,
  startedOn: '2026-11-20T18:00:00.000Z',
  endedOn: '2026-11-20T19:02:03.000Z',
  durationSeconds: 3_723,
  bytes: 1_234_567_890,
  videoCodec: 'h264',
  audioCodec: 'opus',
  width: 1920,
  height: 1080,
  container: 'mp4',
  hasRewind: true,
  expiresOn: null,
  ...change,
});
const SETTINGS = {
  isAvailable: true,
  retentionDays: null,
  quotaBytes: 10_000_000_000 as number | null,
  usedBytes: 9_300_000_000,
  recordings: 3,
};

/** The API of recordings as the page sees it. */
async function serve(page: Page, recordings: object[], settings: object = SETTINGS) {
  const calls: { method: string; path: string; body: unknown }[] = [];
  const saved = { ...settings };
  await page.route(/\/api\/(recordings|account\/recording)/, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const [method, body] = [request.method(), request.postDataJSON()];
    calls.push({ method, path: pathname, body });
    const answer = (data: unknown, rest: object = {}) => route.fulfill({ json: { status: 'success', data, ...rest } });
    if (pathname === '/api/account/recording') return answer(Object.assign(saved, body));
    if (pathname.endsWith('/media')) return route.fulfill({ status: 404, body: '' });
    if (pathname.endsWith('/link'))
      return answer({ path: `${pathname.replace('/link', '/media')}?signature=x`, expiresOn: '2026-12-01T00:00:00Z' });
    const id = pathname.split('/')[3];
    if (pathname.endsWith('/finish')) return answer(aRecording({ id, state: 'finishing' }));
    if (pathname.endsWith('/clips')) {
      recordings.unshift(aRecording({ id: 'f'.repeat(22), kind: 'clip', state: 'finishing', container: null }));
      return answer(recordings[0]);
    }
    const index = recordings.findIndex((one) => 'id' in one && one.id === id);
    if (method === 'DELETE') recordings.splice(index, 1);
    if (method === 'DELETE') return answer(true);
    if (method === 'PUT') return answer(Object.assign(recordings[index]!, body));
    const wanted = searchParams.get('streamName');
    const found = recordings.filter((one) => wanted === null || ('streamName' in one && one.streamName === wanted));
    return answer(found, { total: found.length, page: 1, itemsOnPage: 20 });
  });
  return calls;
}

async function open(page: Page, server: ServerProcess, name: string, query = ''): Promise<void> {
  await openDashboard(page, server, { path: `/recordings${query}`, account: await newAccount(server, name) });
}

test('a person looks for a recording, shares it, sets its end and deletes it', async ({ page, server }) => {
  const other = aRecording({ id: 'b'.repeat(22), streamName: 'studio', kind: 'clip', sourceId: 'cam 2' });
  const calls = await serve(page, [aRecording(), other]);
  await open(page, server, 'recordings-walk');
  const row = page.getByRole('listitem').filter({ hasText: 'keynote' });
  await expect(row).toContainText('1:02:03');
  await expect(row).toContainText('1.2 GB');
  await expect(row).toContainText('H.264 + Opus');
  await expect(page.getByText('The space is nearly used up.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('textbox', { name: 'Stream name' }).fill('keynote');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('heading', { name: 'studio' })).toHaveCount(0);

  await row.getByRole('button', { name: 'Link: keynote' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(
    `${server.origin}/api/recordings/${'a'.repeat(22)}/media?signature=x`,
  );
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();

  await row.getByRole('button', { name: 'Play: keynote' }).click();
  await expect(page.getByRole('dialog').locator('video')).toHaveAttribute('src', /media\?signature=x$/);
  await expect(page.getByText('This browser cannot play the file.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();

  await row.getByRole('button', { name: 'Keep: keynote' }).click();
  await page.getByLabel('Deleted on').fill('2020-01-01T00:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a time in the future, or nothing.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Deleted on').fill('2035-01-01T00:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('2035');

  await row.getByRole('button', { name: 'Delete: keynote' }).click();
  await expect(page.getByRole('heading', { name: /^Delete keynote/ })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No recording matches.')).toBeVisible();
  expect(calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /api/recordings/${'a'.repeat(22)}/link`,
    `POST /api/recordings/${'a'.repeat(22)}/link`,
    `PUT /api/recordings/${'a'.repeat(22)}`,
    `DELETE /api/recordings/${'a'.repeat(22)}`,
  ]);
});

test('a person cuts a clip from a recording, whose times are checked first', async ({ page, server }) => {
  const calls = await serve(page, [aRecording()]);
  await open(page, server, 'recordings-clip');
  await page.getByRole('button', { name: 'Cut a clip: keynote' }).click();
  const dialog = page.getByRole('dialog');
  const [from, to] = [dialog.getByLabel('From'), dialog.getByLabel('To')];
  await expect(dialog.locator('video')).toHaveAttribute('src', /media\?signature=x$/);
  await expect(from).toHaveValue('0:00');
  await expect(to).toHaveValue('0:30');

  // The video of this test has no file, so its place is the beginning.
  await dialog.getByRole('button', { name: 'End here' }).click();
  await expect(to).toHaveValue('0:00');
  await dialog.getByRole('button', { name: 'Cut a clip' }).click();
  await expect(dialog.getByText('Enter two times within the recording')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await from.fill('1:00:10');
  await to.fill('1:01:15');
  await dialog.getByRole('button', { name: 'Cut a clip' }).click();
  await expect(page.getByText(/^A clip of keynote, .* is being made\./)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Being prepared' })).toBeVisible();
  expect(calls.find(({ path }) => path.endsWith('/clips'))).toEqual({
    method: 'POST',
    path: `/api/recordings/${'a'.repeat(22)}/clips`,
    body: { startSeconds: 3_610, seconds: 65 },
  });
});

test('an owner limits the space and the time', async ({ page, server }) => {
  const calls = await serve(page, []);
  await open(page, server, 'recordings-settings');
  await expect(page.getByText('Nothing is recorded yet.')).toBeVisible();
  const days = page.getByRole('textbox', { name: 'Delete after days' });
  await days.fill('soon');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(days).toBeFocused();
  await expect(page.getByText('Enter whole days')).toBeVisible();
  await days.fill('30');
  await page.getByRole('textbox', { name: 'Limit in GB' }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The settings are saved.')).toBeVisible();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ retentionDays: 30, quotaBytes: null });
  await expect(page.getByText('Used: 9.3 GB. Recordings: 3')).toBeVisible();
});

test('faults, codecs that cannot be rewound, and a server that does not record are said in words', async ({
  page,
  server,
}) => {
  const states = [
    aRecording({ fault: 'disk_full' }),
    aRecording({ id: 'c'.repeat(22), state: 'failed', fault: 'meteor', container: null }),
    aRecording({ id: 'd'.repeat(22), state: 'recording', videoCodec: 'vp8', hasRewind: false, endedOn: null }),
  ];
  await serve(page, states, { ...SETTINGS, isAvailable: false, quotaBytes: 1 });
  await open(page, server, 'recordings-faults');
  for (const text of [
    'The disk was full: a part is missing.',
    'Problem: meteor',
    'VP8: viewers cannot go back while it is live.',
    'This server does not record.',
    'The space is used up: nothing more is recorded.',
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Play/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(2);
});

test('a file that could not be made is tried again by a button, as long as something of it is kept', async ({
  page,
  server,
}) => {
  const calls = await serve(page, [
    aRecording({ state: 'finishing', fault: 'finish_failed', container: null }),
    aRecording({ id: 'c'.repeat(22), streamName: 'studio', state: 'failed', fault: 'finish_failed', container: null }),
    aRecording({ id: 'd'.repeat(22), streamName: 'empty', state: 'failed', fault: 'nothing_recorded', bytes: 0 }),
    aRecording({ id: 'e'.repeat(22), streamName: 'new', state: 'finishing', container: null }),
  ]);
  await open(page, server, 'recordings-again');
  await expect(page.getByText('It could not be made ready. What was recorded is kept.')).toHaveCount(2);
  await expect(page.getByText('No media came.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Try again: keynote' }).click();
  await expect(page.getByText(/^keynote, .* is being prepared\.$/)).toBeVisible();
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    `/api/recordings/${'a'.repeat(22)}/finish`,
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a server that does not record gives no advice how to record', async ({ page, server }) => {
  await serve(page, [], { ...SETTINGS, isAvailable: false });
  await open(page, server, 'recordings-off');
  await expect(page.getByText('This server does not record.')).toBeVisible();
  await expect(page.getByText('Nothing is recorded yet.')).toHaveCount(0);
});

test('somebody who may only read sees no buttons to change', async ({ page, server }) => {
  await serve(page, [aRecording()]);
  await page.route('**/api/dashboard/session', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, permissions: ['figures', 'read'] } } });
  });
  await open(page, server, 'recordings-reader');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'keynote' })).toBeVisible();
  for (const name of [/^Play/, /^Download: keynote/, /^Cut/, /^Keep/, /^Delete/, 'Save'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
});

test('an error and a lost server are shown, with a way to try again', async ({ page, server }) => {
  let isAway = true;
  await serve(page, [aRecording()]);
  await page.route(/\/api\/recordings\?/, (route) => (isAway ? route.abort() : route.fallback()));
  await open(page, server, 'recordings-away');
  await expect(page.getByText('The server cannot be reached.')).toBeVisible();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'keynote' })).toBeVisible();
});

test('on a phone, the recordings can be read by everybody, in German and Arabic, in both schemes', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const live = aRecording({
    id: 'd'.repeat(22),
    state: 'recording',
    streamName: 'x'.repeat(100),
    fault: 'disk_full',
  });
  await serve(page, [live, aRecording()]);
  await open(page, server, 'recordings-phone', '?lang=de');
  await expect(page.getByRole('heading', { name: 'keynote' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.goto(`${server.origin}/dashboard/recordings?lang=ar`);
  await expect(page.getByRole('heading', { name: 'keynote' })).toBeVisible();
  expect([await widthFaults(page), await accessibilityFaults(page, 'html', SIZES)]).toEqual([[], []]);
});
