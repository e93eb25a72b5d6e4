import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { expect, test } from '../support/test.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Scheduled {
  readonly id: string;
  readonly path: string;
}

/** Schedules a stream on the running server, so long from now. */
async function schedule(server: ServerProcess, inMs: number, ...more: string[]): Promise<Scheduled> {
  const start = new Date(Date.now() + inMs).toISOString();
  const fields = ['--stream', 'nothing', '--title', 'Keynote', '--start', start, '--account', 'main', ...more];
  const { id, path } = await server.cli('schedule', 'add', ...fields);
  return { id: String(id), path: String(path) };
}

/** Answers of the server about the scheduled stream, which a test can change. */
async function announce(page: Page, start: number, changed: object = {}) {
  const answer = { state: 'scheduled', ...changed } as Record<string, unknown>;
  const asked = { times: 0, isAway: false };
  await page.route('**/api/scheduled_stream/*', async (route) => {
    asked.times += 1;
    if (asked.isAway) return route.abort();
    const now = await page.evaluate(() => Date.now());
    const stream = { accountId: 'main', streamName: 'nothing', title: 'Keynote', description: null, endsOn: null };
    const data = { ...stream, startsOn: new Date(start).toISOString(), now: new Date(now).toISOString(), ...answer };
    return route.fulfill({ json: { status: 'success', data } });
  });
  return { answer, asked };
}

/** The answers of the server take a moment, in which the clock must not go far. */
async function pass(page: Page, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_000) await page.clock.runFor(2_000);
}

/** The page asks again in some seconds of its clock; how far the clock has to go depends on when the last answer came. */
async function passUntil(page: Page, assertion: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(2_000);
    await assertion();
  }).toPass({ intervals: [100] });
}

const timer = (page: Page) => page.getByRole('timer');
const stage = (page: Page) => page.locator('scheduled-page').getAttribute('data-stage');

test('a visitor sees title, time and countdown, and downloads an entry for the calendar', async ({ page, server }) => {
  const { path } = await schedule(server, 26 * HOUR, '--description', 'First line\nsecond <b>line</b>');
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  const response = await page.goto(`${server.origin}${path}`);
  expect(response?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Keynote' })).toBeVisible();
  await expect(timer(page)).toContainText(/1\s+day\s*01\s+hour/);
  await expect(page.getByText('This page becomes the player by itself.')).toBeVisible();
  const description = page.getByText('First line');
  expect(await description.evaluate((element) => (element as HTMLElement).innerText)).toBe(
    'First line\nsecond <b>line</b>',
  );
  expect(await page.locator('stream-viewer').count()).toBe(0);
  expect(await page.title()).toBe('Keynote');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar' }).click();
  expect((await download).suggestedFilename()).toBe('stream.ics');
  expect(faults).toEqual([]);
});

test('the countdown goes by the clock of the server', async ({ page, server }) => {
  const { path } = await schedule(server, 2 * HOUR + MINUTE);
  await page.clock.install({ time: Date.now() - 300 * HOUR });
  await page.goto(`${server.origin}${path}`);
  await expect(timer(page)).toContainText(/^\s*02\s+hours\s*0[01]\s+minutes?/);
});

test('the page counts down, tells screen readers when the start is near, and waits with the player of a token', async ({
  page,
  server,
}) => {
  const { path } = await schedule(server, HOUR);
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  await announce(page, now + 11 * MINUTE);
  await page.goto(`${server.origin}${path}?token=sesame`);
  await expect(timer(page)).toContainText('10');
  // The token leaves the part of the address that is sent to servers.
  expect(page.url()).toBe(`${server.origin}${path}#token=sesame`);
  expect(await page.locator('stream-viewer').count()).toBe(0);
  expect(await timer(page).getAttribute('aria-live')).toBe('off');

  await pass(page, MINUTE + 5_000);
  await expect(page.getByText('The stream starts in ten minutes.')).toBeAttached();
  // The server does not know this token.
  await expect.poll(() => stage(page)).toBe('refused');
  await expect(page.locator('stream-viewer')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Keynote' })).toBeVisible();
  // axe waits by timers.
  await page.clock.resume();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('after the start the page waits, and after the end it thanks', async ({ page, server }) => {
  const { path } = await schedule(server, HOUR);
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  const end = now + 10 * MINUTE;
  const { answer } = await announce(page, now + MINUTE, { endsOn: new Date(end).toISOString() });
  await page.goto(`${server.origin}${path}`);
  await expect(timer(page)).toBeVisible();
  await pass(page, MINUTE + 5_000);
  await expect(page.getByText('Not started yet', { exact: true })).toBeVisible();
  await expect(timer(page)).toHaveCount(0);
  // axe waits by timers.
  await page.clock.resume();
  expect(await accessibilityFaults(page)).toEqual([]);
  answer['state'] = 'over';
  await passUntil(page, () => expect(page.getByText('Thank you for watching!')).toBeVisible({ timeout: 100 }));
  expect(await page.locator('stream-viewer').count()).toBe(0);
});

test('the page follows a changed time, and says when the server is away', async ({ page, server }) => {
  const { path } = await schedule(server, HOUR);
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  const { answer, asked } = await announce(page, now + HOUR);
  await page.goto(`${server.origin}${path}`);
  await expect(timer(page)).toContainText('59');
  answer['startsOn'] = new Date(now + 50 * HOUR).toISOString();
  answer['title'] = 'Another title';
  const changed = page.getByRole('heading', { name: 'Another title' });
  await passUntil(page, () => expect(changed).toBeVisible({ timeout: 100 }));
  await expect(timer(page)).toContainText(/2\s+days/);

  asked.isAway = true;
  const lost = page.getByText('The connection is lost. Trying again …');
  await passUntil(page, () => expect(lost).toBeVisible({ timeout: 100 }));
  await expect(timer(page)).toBeVisible();
  asked.isAway = false;
  await passUntil(page, () => expect(lost).toHaveCount(0, { timeout: 100 }));
});

test('an unknown or removed stream has a page that says so, in the language of the visitor', async ({
  page,
  server,
}) => {
  const response = await page.goto(`${server.origin}/scheduled/${'x'.repeat(22)}?lang=de`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Diesen Stream gibt es nicht' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`${server.origin}/scheduled/x?lang=ja`);
  await expect(page.getByRole('heading', { name: 'この配信は存在しません' })).toBeVisible();
});

test('on a phone, the page can be read by everybody, in English, German and Arabic, in both schemes', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { path } = await schedule(server, 26 * HOUR, '--description', 'A long day. '.repeat(20));
  for (const language of ['en', 'de', 'ar']) {
    await page.goto(`${server.origin}${path}?lang=${language}`);
    await expect(timer(page)).toBeVisible();
    const faults = language === 'en' ? await faultsInBothSchemes(page) : await accessibilityFaults(page, 'html', SIZES);
    expect([...faults, ...(await widthFaults(page))], language).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(language === 'ar' ? 'rtl' : 'ltr');
  }
});
