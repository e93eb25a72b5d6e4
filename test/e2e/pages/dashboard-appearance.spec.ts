import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

/** A green image of this many pixels on each side. */
function png(size: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(size * 3, Buffer.from([0, 110, 79]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Each test has an account of its own. */
async function openAppearance(page: Page, server: ServerProcess, name: string): Promise<void> {
  await openDashboard(page, server, { path: '/appearance', account: await newAccount(server, name) });
}

const colorOf = (page: Page, selector: string, property: string) =>
  page.evaluate(
    ([selector, property]) => getComputedStyle(document.querySelector(selector!)!).getPropertyValue(property!),
    [selector, property],
  );

test('an owner sets a name, colours and a logo, and the hosted pages have them', async ({ page, server, context }) => {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await openAppearance(page, server, 'themed');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('ACME <b>Live</b> 🎥');
  const accent = page.getByRole('textbox', { name: 'Accent colour', exact: true });
  const save = page.getByRole('button', { name: 'Save' });
  await accent.fill('green');
  await expect(page.getByText('Enter a colour such as #e5484d.')).toBeVisible();
  await accent.fill('#ffd400');
  await expect(page.getByText('contrast 2.3, needed 4.5. #b29400 is the nearest')).toBeVisible();
  await expect(save).toBeDisabled();
  expect(await accessibilityFaults(page)).toEqual([]);
  await accent.fill('#0b6e4f');
  await page.getByRole('textbox', { name: 'Background colour', exact: true }).fill('#f0fff8');
  expect(await colorOf(page, '.theme-preview .page', 'background-color')).toBe('rgb(240, 255, 248)');
  await save.click();
  await expect(page.getByText('Saved. The pages change within ten seconds.')).toBeVisible();

  await page.getByLabel('Choose an image').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(64) });
  const logo = page.locator('.logo-shown img');
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);

  const viewer = await context.newPage();
  await viewer.goto(`${server.origin}/viewer?streamId=themed/keynote`);
  await expect(viewer).toHaveTitle('Waiting for the stream · keynote · ACME <b>Live</b> 🎥');
  await expect(viewer.getByRole('img', { name: 'ACME <b>Live</b> 🎥' })).toBeVisible();
  expect(await colorOf(viewer, 'body', 'background-color')).toBe('rgb(240, 255, 248)');
  expect(await colorOf(viewer, 'stream-viewer', '--stream-accent')).toBe('#0b6e4f');
  // Not darkened: the player darkens it where it shows white text on it.
  expect(await colorOf(viewer, 'stream-viewer', '--accent')).toBe('#0b6e4f');
  await expect(viewer.locator('meta[property="og:site_name"]')).toHaveAttribute('content', 'ACME <b>Live</b> 🎥');

  const broadcaster = await context.newPage();
  await broadcaster.goto(`${server.origin}/broadcaster?streamName=keynote&accountId=themed#token=x`);
  await expect(broadcaster.getByRole('img', { name: 'ACME <b>Live</b> 🎥' })).toBeVisible();
  expect(await colorOf(broadcaster, 'body', 'background-color')).toBe('rgb(240, 255, 248)');
  expect(await faultsInBothSchemes(broadcaster)).toEqual([]);
  expect(await faultsInBothSchemes(viewer)).toEqual([]);

  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('The pages look like the product again.')).toBeVisible();
  await viewer.reload();
  await expect(viewer).toHaveTitle('Waiting for the stream · keynote');
  await expect(viewer.locator('.logo')).toHaveCount(0);
  // The camera of the broadcaster page, and the refused viewer, are no faults of the pages.
  expect(faults.filter((fault) => /policy|refused to|trusted/i.test(fault))).toEqual([]);
});

test('a large image is made smaller, and a file that is no image is refused', async ({ page, server }) => {
  await openAppearance(page, server, 'logos');
  const file = page.getByLabel('Choose an image');
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
  await expect(page.getByRole('alert')).toHaveText(
    'This file is no image that can be used. Choose a PNG, JPEG or WebP file.',
  );
  const huge = Buffer.concat([png(1_500), Buffer.alloc(300_000)]);
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: huge });
  const logo = page.locator('.logo-shown img');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await expect(page.getByText('There is no logo.')).toBeVisible();
});

test('the page fits a phone in English, German and Arabic, in both schemes', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAppearance(page, server, 'appearance-phone');
  await expect(page.locator('.theme-preview')).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  for (const language of ['de', 'ar']) {
    await page.goto(`${server.origin}/dashboard/appearance?lang=${language}`);
    await expect(page.locator(`html[lang=${language}] .theme-preview`)).toBeVisible();
    expect([await widthFaults(page), await accessibilityFaults(page, 'html', SIZES)], language).toEqual([[], []]);
  }
});
