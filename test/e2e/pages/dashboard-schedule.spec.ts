import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

const HOUR = 3_600_000;

/** Each test has an account of its own. */
async function openSchedule(page: Page, server: ServerProcess, account: string): Promise<void> {
  await logIn(page, server, await newAccount(server, account));
}

function logIn(page: Page, server: ServerProcess, account: string, query = ''): Promise<void> {
  return openDashboard(page, server, { path: `/schedule${query}`, account });
}

const schedule = (server: ServerProcess, account: string, title: string, inMs: number) => {
  const start = new Date(Date.now() + inMs).toISOString();
  return server.cli('schedule', 'add', '--stream', 'main', '--title', title, '--start', start, '--account', account);
};

test('a person schedules a stream, sends its link, changes and removes it', async ({ page, server, context }) => {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await openSchedule(page, server, 'scheduler');
  await server.cli(
    'token',
    'create',
    'subscribe',
    '--label',
    'Guests',
    '--stream',
    'keynote',
    '--account',
    'scheduler',
  );
  const tickets = ['--stream', 'keynote', '--requires-auth', 'true', '--account', 'scheduler'];
  await server.cli('token', 'create', 'publish', '--label', 'Studio', ...tickets);
  await expect(page.getByText('Nothing is scheduled.')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule a stream' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Schedule a stream' })).toBeFocused();

  await page.getByRole('button', { name: 'Schedule it' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toBeFocused();
  await expect(page.getByText('Enter a title.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await title.fill('Our <b>keynote</b> 🎥');
  await page.getByRole('textbox', { name: 'Stream name' }).fill('keynote');
  await page.getByLabel('Start').fill('2035-12-05T20:00');
  await page.getByLabel('End (optional)').fill('2035-12-05T19:00');
  await expect(page.getByText('The end must be after the start')).toBeVisible();
  await page.getByLabel('End (optional)').fill('2035-12-05T21:30');
  await page.getByRole('textbox', { name: 'Description' }).fill('Two\nlines');
  await page.getByRole('button', { name: 'Schedule it' }).click();
  await expect(page.getByText('Our <b>keynote</b> 🎥 is saved.')).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Our <b>keynote</b> 🎥' });
  await expect(row).toContainText('Scheduled');
  await expect(row).toContainText('December 5, 2035');

  await row.getByRole('button', { name: 'Link to' }).click();
  const link = page.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(/\/scheduled\/[\w-]{22}$/);
  const warning = page.getByText('This stream is private: with this link nobody can watch it.');
  await expect(warning).toBeVisible();
  await page.getByLabel('Token in the link').selectOption({ index: 1 });
  await expect(link).toHaveValue(/\/scheduled\/[\w-]{22}#token=[0-9a-f]{64}$/);
  await expect(warning).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  const visitor = await context.newPage();
  await visitor.goto(await link.inputValue());
  await expect(visitor.getByRole('heading', { level: 1, name: 'Our <b>keynote</b> 🎥' })).toBeVisible();
  await visitor.close();
  await page.getByRole('button', { name: 'Done' }).click();

  await row.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Start')).toHaveValue('2035-12-05T20:00');
  await page.getByRole('textbox', { name: 'Title' }).fill('Opening');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Opening is saved.')).toBeVisible();

  await page.getByRole('button', { name: 'Remove Opening' }).click();
  await expect(page.getByRole('heading', { name: 'Remove Opening?' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Opening is removed.')).toBeVisible();
  await expect(page.getByText('Nothing is scheduled.')).toBeVisible();
  expect(faults).toEqual([]);
});

test('the form survives an expired session', async ({ page, server, context }) => {
  await openSchedule(page, server, 'schedule-expiry');
  await page.getByRole('button', { name: 'Schedule a stream' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Keynote');
  await page.getByRole('textbox', { name: 'Stream name' }).fill('main');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Schedule it' }).click();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await logIn(page, server, 'schedule-expiry');
  await expect(page.getByText('This is what you entered before.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Keynote');
  await page.getByRole('button', { name: 'Schedule it' }).click();
  await expect(page.getByText('Keynote is saved.')).toBeVisible();
});

test('somebody who may only read sees no buttons to change', async ({ page, server }) => {
  await openSchedule(page, server, 'schedule-reader');
  await schedule(server, 'schedule-reader', 'Keynote', 24 * HOUR);
  await page.route('**/api/dashboard/session', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, permissions: ['figures', 'read'] } } });
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Keynote' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Link to Keynote' })).toBeVisible();
  for (const name of ['Schedule a stream', 'Edit Keynote', 'Remove Keynote']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
});

test('on a phone, the list can be read by everybody, in German and Arabic, in both schemes', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const account = await newAccount(server, 'schedule-phone');
  await schedule(server, account, 'A long title '.repeat(9).trim(), 24 * HOUR);
  await schedule(server, account, 'Past', -24 * HOUR);
  await logIn(page, server, account, '?lang=de');
  await expect(page.getByRole('heading', { name: 'Past' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.goto(`${server.origin}/dashboard/schedule?lang=ar`);
  await expect(page.getByRole('heading', { name: 'Past' })).toBeVisible();
  expect([await widthFaults(page), await accessibilityFaults(page, 'html', SIZES)]).toEqual([[], []]);
});
