import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { phaseOf } from '../support/pages.ts';
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
  await stream.getByRole('button', { name: 'Show viewers' }).click();
  await expect(stream.getByText('Without a token')).toBeVisible();
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
    await expect(details).toBeVisible({ timeout: 2_000 });
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
