import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { openDashboard } from '../support/dashboard.ts';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { openViewer, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Logs in by a new link, and shows the page of tokens. */
function openTokens(page: Page, server: ServerProcess): Promise<void> {
  return openDashboard(page, server, { path: '/tokens' });
}

/** Shows the only token with this label. */
async function find(page: Page, label: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Label or stream name' }).fill(label);
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: label })).toBeVisible();
}

/** The status of the director's answer to a viewer with this token. */
async function admission(server: ServerProcess, streamName: string, token: string): Promise<number> {
  const response = await fetch(`${server.origin}/api/director/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ streamName, streamAccountId: 'main' }),
  });
  return response.status;
}

test('a token is disabled, enabled, given a new value and deleted', async ({ page, server, tokens, streamName }) => {
  const label = `lobby ${streamName}`;
  const token = await tokens.subscribe(streamName, { label });
  await openTokens(page, server);
  await page.getByRole('button', { name: 'To watch' }).click();
  await find(page, label);
  const dialog = page.getByRole('dialog');

  await page.getByText('Details', { exact: true }).click();
  await page.getByRole('button', { name: `Disable ${label}` }).click();
  await expect(dialog.getByText('Everyone who watches with this token is disconnected.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await admission(server, streamName, token)).toBe(200);
  await page.getByRole('button', { name: `Disable ${label}` }).click();
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is disabled.' })).toBeVisible();
  expect(await admission(server, streamName, token)).toBe(401);

  await page.getByRole('button', { name: `Enable ${label}` }).click();
  await expect(page.getByText('works again.')).toBeVisible();
  expect(await admission(server, streamName, token)).toBe(200);

  await page.getByRole('button', { name: `New value for ${label}` }).click();
  await dialog.getByRole('button', { name: 'New value' }).click();
  const value = dialog.getByRole('textbox', { name: 'Value of the token' });
  await expect(value).toBeVisible();
  const fresh = await value.inputValue();
  expect([await admission(server, streamName, token), await admission(server, streamName, fresh)]).toEqual([401, 200]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: `Delete the token for ${label}` }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${label} is deleted.`)).toBeVisible();
  await expect(page.getByText('No token matches.')).toBeVisible();
  expect(await admission(server, streamName, fresh)).toBe(401);
});

test('several tokens are selected on two pages, disabled, enabled and deleted at once', async ({
  page,
  server,
  tokens,
  streamName,
}) => {
  const made: string[] = [];
  for (let count = 0; count < 22; count += 1) made.push(await tokens.subscribe(streamName, { label: streamName }));
  await tokens.subscribe(`${streamName} other`, { label: `${streamName} other`, expires: 3_600 });
  await openTokens(page, server);
  await page.getByRole('button', { name: 'To watch' }).click();
  await page.getByRole('searchbox').fill(streamName.toUpperCase());
  const rows = page.getByRole('listitem');
  await expect(rows).toHaveCount(20);
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Next to expire first');
  await expect(rows.first()).toContainText(`${streamName} other`);

  await page.getByRole('button', { name: 'Select all that match (23)' }).click();
  await expect(page.getByText('Selected: 23')).toBeVisible();
  await page.getByRole('checkbox', { name: `Select ${streamName} other` }).uncheck();
  await expect(page.getByText('Selected: 22')).toBeVisible();
  const bar = page.getByRole('group', { name: 'Selected: 22' });
  expect(await accessibilityFaults(page)).toEqual([]);

  const dialog = page.getByRole('dialog');
  await bar.getByRole('button', { name: 'Disable' }).click();
  await expect(dialog.getByText('Viewers whom this disconnects now, on this server: 0')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('Disabled: 22.')).toBeVisible();
  expect(await admission(server, streamName, made[21]!)).toBe(401);

  await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled');
  // The list from before stays until the new one is there.
  await expect(rows.filter({ hasText: 'Disabled' })).toHaveCount(20);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByText('Enabled: 22.')).toBeVisible();
  await expect(page.getByText('No token matches.')).toBeVisible();
  expect(await admission(server, streamName, made[0]!)).toBe(200);

  await page.getByRole('combobox', { name: 'State' }).selectOption('Any state');
  await expect(rows).toHaveCount(20);
  await page.getByRole('button', { name: 'Select all that match (23)' }).click();
  await page.getByRole('group', { name: 'Selected: 23' }).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Deleted: 23.')).toBeVisible();
  expect(await admission(server, streamName, made[0]!)).toBe(401);
});

test('tokens are created from a CSV file: all, or none if a line is wrong', async ({ page, server, streamName }) => {
  await openTokens(page, server);
  await page.getByRole('button', { name: 'To watch' }).click();
  await page.getByRole('button', { name: 'Import from CSV' }).click();
  const dialog = page.getByRole('dialog');
  const choose = (text: string) =>
    dialog
      .getByLabel(/^Choose/)
      .setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  await choose('\x89PNG\r\n\x1a\n\0');
  await expect(dialog.getByText('tickets.csv has faults. Nothing was created.')).toBeVisible();
  await choose('');
  await expect(dialog.getByText('the file is empty')).toBeVisible();
  await choose(`label,streams,maxSessions\n${streamName} A,${streamName},1\n${streamName} B,${streamName},many\n`);
  await expect(dialog.getByText('Line 3')).toBeVisible();
  await expect(dialog.getByText('maxSessions must be a whole number')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Create/ })).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await choose('x'.repeat(1_000_001));
  await expect(dialog.getByRole('alert')).toHaveText('The file is too large: 1 MB at most. Split it.');

  await choose(`label;streams;maxSessions\n${streamName} A;${streamName};1\n${streamName} B;${streamName};2\n`);
  await expect(dialog.getByText('tickets.csv is right. Tokens: 2')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Create the tokens (2)' }).click();
  await expect(dialog.getByText('Created: 2.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect((await saved).suggestedFilename()).toBe('tickets-links.csv');
  const [header, first = ''] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
  expect(header).toBe('\ufeffid,label,streamName,link,token');
  const [, label, , link = '', token = ''] = first.split(',');
  expect(label).toBe(`${streamName} A`);
  expect(link.endsWith(`#token=${token}`)).toBe(true);
  expect(await admission(server, streamName, token)).toBe(200);
  const savedAgain = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the links (CSV)' }).click();
  expect((await savedAgain).suggestedFilename()).toBe('tickets-links.csv');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('searchbox').fill(streamName);
  await expect(page.getByRole('listitem')).toHaveCount(2);

  // What was downloaded can be imported.
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download as CSV/ }).click();
  const path = await (await download).path();
  await page.getByRole('button', { name: 'Import from CSV' }).click();
  await dialog.getByLabel(/^Choose/).setInputFiles(path);
  await expect(dialog.getByText(/is right\. Tokens: 2$/)).toBeVisible();
});

test('the questions before a change say how many are connected, and name the broadcast that a deletion ends', async ({
  page,
  server,
  tokens,
  streamName,
  context,
}) => {
  const { origin } = server;
  const [toPublish, toWatch] = [`${streamName} stage`, `${streamName} hall`];
  const token = await tokens.publish(streamName, { label: toPublish });
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token });
  const viewer = await context.newPage();
  await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName, { label: toWatch }) });
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await openTokens(page, server);
  await find(page, toPublish);
  await page.getByText('Details', { exact: true }).click();
  await page.getByRole('button', { name: `Delete the token for ${toPublish}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(`Live with this token now: ${streamName}`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'To watch' }).click();
  await find(page, toWatch);
  await page.getByText('Details', { exact: true }).click();
  await page.getByRole('button', { name: `Disable ${toWatch}` }).click();
  await expect(dialog.getByText('Viewers whom this disconnects now, on this server: 1')).toBeVisible();
  await broadcast.end();
});

test('a token is used by links and codes for the stream that the person names', async ({
  page,
  server,
  tokens,
  streamName,
}) => {
  const token = await tokens.publish(streamName, {
    label: streamName,
    streams: [{ streamName: `${streamName}-.*`, isRegex: true }],
    record: true,
  });
  await openTokens(page, server);
  await find(page, streamName);
  await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Links and codes of ${streamName}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Value of the token' })).toHaveValue(token);
  await expect(dialog.getByRole('textbox', { name: 'WHIP address' })).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Stream name for the links' }).fill(`${streamName}-1`);
  await expect(dialog.getByRole('textbox', { name: 'WHIP address' })).toHaveValue(
    `${server.origin}/api/whip/${streamName}-1`,
  );
  await expect(dialog.getByRole('img', { name: 'QR code of the broadcaster link' })).toBeVisible();
  await expect(dialog.locator('.qr path')).toBeVisible();
  const link = await dialog.getByRole('textbox', { name: 'Broadcaster link' }).inputValue();
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
});

test('a token is created in the form, which explains what is wrong while it is filled in', async ({
  page,
  server,
  streamName,
}) => {
  await openTokens(page, server);
  await page.getByRole('button', { name: 'To watch' }).click();
  await page.getByRole('button', { name: 'New token to watch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New token to watch' })).toBeFocused();
  const label = `🎥 <i>${streamName}</i>`;
  await page.getByRole('textbox', { name: 'Label' }).fill(label);
  await page.getByRole('button', { name: 'Create the token' }).click();
  const question = page.getByRole('dialog', { name: 'This token permits no stream. Save it all the same?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await accessibilityFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Create the token' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Stream names, one per line' }).fill(`${streamName}\n`);
  const more = page.getByText('More rules: Viewers at once, Websites, and IP addresses', { exact: true });
  await expect(page.getByRole('textbox', { name: 'Countries' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Viewers at once' })).toBeHidden();
  await more.click();
  const places = page.getByRole('textbox', { name: 'Viewers at once' });
  await places.fill('many');
  await expect(page.getByText('Enter a whole number up to 1,000,000.')).toBeVisible();
  await page.getByRole('button', { name: 'Create the token' }).click();
  await expect(places).toBeFocused();
  await places.fill('2');
  await expect(page.getByText('Enter a whole number up to 1,000,000.')).toBeHidden();
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('On a date');
  await expect(page.getByLabel('Date and time')).not.toHaveValue('');
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('After a duration');
  await page.getByRole('textbox', { name: 'Duration from now' }).fill('3');
  const websites = page.getByRole('textbox', { name: 'Websites' });
  await websites.fill('example.com\nhttps://exa mple.com');
  await page.getByRole('textbox', { name: 'IP addresses that are refused' }).fill('127.1');
  await more.click();
  await page.getByRole('button', { name: 'Create the token' }).click();
  await expect(websites).toBeFocused();
  await expect(page.locator('#fault-origins')).toContainText('https://exa mple.com');
  await expect(page.locator('#fault-deniedAddresses')).toContainText('127.1');
  await expect(page.getByRole('alert')).toHaveText(
    'Not saved. Correct first: Websites and IP addresses that are refused',
  );
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'IP addresses that are refused' }).fill('');
  await websites.fill('example.com');
  expect(await accessibilityFaults(page)).toEqual([]);
  await expect(page.getByRole('textbox', { name: 'Label' })).toHaveValue(label);
  await page.getByRole('button', { name: 'Create the token' }).click();
  const value = page.getByRole('dialog').getByRole('textbox', { name: 'Value of the token' });
  await expect(value).toBeVisible();
  expect(await admission(server, streamName, await value.inputValue())).toBe(401);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await find(page, label);
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('Up to 2 viewers. One more is refused.')).toBeVisible();
  await expect(page.getByText('example.com', { exact: true })).toBeVisible();
});

test('the later of two people who edit a token sees both versions, and loses nothing', async ({
  page,
  server,
  tokens,
  streamName,
}) => {
  const { Id } = await tokens.create('publish_token', { label: streamName, streams: [{ streamName }] });
  await openTokens(page, server);
  await find(page, streamName);
  await page.getByRole('button', { name: `Edit ${streamName}` }).click();
  const label = page.getByRole('textbox', { name: 'Label' });
  await expect(label).toHaveValue(streamName);
  await label.fill(`${streamName} mine`);
  await page.getByText(/^More rules:/).click();
  await page.getByRole('textbox', { name: 'Websites' }).fill('mine.example.com');
  await tokens.update('publish_token', Id, { label: `${streamName} theirs`, subscribeRequiresAuth: true });

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Somebody else has changed this token');
  await expect(label).toHaveValue(`${streamName} mine`);
  await expect(page.getByText(`${streamName} theirs`, { exact: true })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Viewers need a token' })).toBeChecked();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect((await tokens.get('publish_token', Id))['Label']).toBe(`${streamName} theirs`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${streamName} mine is saved.`)).toBeVisible();
  const saved = await tokens.get('publish_token', Id);
  expect([saved['Label'], saved['allowedOrigins'], saved['subscribeRequiresAuth']]).toEqual([
    `${streamName} mine`,
    ['mine.example.com'],
    true,
  ]);
});

test('the rules of a token are tested for a website and an address', async ({ page, server, tokens, streamName }) => {
  await tokens.subscribe(streamName, {
    label: streamName,
    allowedOrigins: ['example.com'],
    allowedIpAddresses: ['203.0.113.0/24'],
  });
  await openTokens(page, server);
  await page.getByRole('button', { name: 'To watch' }).click();
  await find(page, streamName);
  await page.getByText('Details', { exact: true }).click();
  await page.getByRole('button', { name: `Test the rules of ${streamName}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Stream name' })).toHaveValue(streamName);
  await dialog.getByRole('textbox', { name: 'Website' }).fill('example.com');
  await dialog.getByRole('textbox', { name: 'IP address' }).fill('203.0.113.7');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('Yes. They could watch now')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'IP address' }).fill('198.51.100.7');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('No. They would be refused now.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'About this reason' })).toHaveAttribute(
    'href',
    '/errors/address_not_allowed',
  );
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a form survives an expired session: the person logs in again, and goes on with the same text', async ({
  page,
  server,
  tokens,
  streamName,
  context,
}) => {
  test.slow();
  const { Id } = await tokens.create('publish_token', { label: streamName, streams: [{ streamName }] });
  await openTokens(page, server);
  await find(page, streamName);
  await page.getByRole('button', { name: `Edit ${streamName}` }).click();
  const label = page.getByRole('textbox', { name: 'Label' });
  await label.fill(`${streamName} new`);
  await page.getByText(/^More rules:/).click();
  await page.getByRole('textbox', { name: 'Websites' }).fill('example.com');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('What you entered is kept in this tab.')).toBeVisible();

  // In another tab of the same browser.
  const other = await context.newPage();
  await openTokens(other, server);
  await expect(other.getByRole('searchbox')).toBeVisible();
  await other.close();
  // The list behind the form would find the end of the next session before the form does.
  const list = page.waitForResponse(/\/api\/publish_token\/list\?/);
  await page.getByRole('button', { name: 'Continue' }).click();
  await (await list).finished();
  await expect(page.getByText('This is what you entered before.')).toBeVisible();
  await expect(label).toHaveValue(`${streamName} new`);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    String((await tokens.get('publish_token', Id))['Token']),
  );

  // In the same tab, by a link to the address that it shows already.
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await openTokens(page, server);
  await expect(label).toHaveValue(`${streamName} new`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${streamName} new is saved.`)).toBeVisible();
  expect((await tokens.get('publish_token', Id))['allowedOrigins']).toEqual(['example.com']);
  await page.reload();
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('says that the server is away, and goes on when it is back', async ({ page, server, context }) => {
  await openTokens(page, server);
  await expect(page.getByRole('searchbox')).toBeVisible();
  await context.route('**/api/subscribe_token/**', (route) => route.abort());
  await page.getByRole('button', { name: 'To watch' }).click();
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.');
  await context.unroute('**/api/subscribe_token/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

/** What a label may be at its worst. */
const LABELS = ['<b onclick="alert(1)">bold</b> &amp; 🎥👩‍👩‍👧', 'مفتاح البث الرئيسي (2026)', 'w'.repeat(128)];

test('the page of tokens has no accessibility fault and does not scroll sideways', async ({
  page: firstTab,
  context,
  server,
  tokens,
  streamName,
}) => {
  for (const label of LABELS) await tokens.publish(streamName, { label, allowedOrigins: ['*.example.com'] });
  await openTokens(firstTab, server);
  for (const [lang, width] of [
    ['en', 1_280],
    ['de', 390],
    ['ar', 390],
  ] as const) {
    const isFirst = lang === 'en';
    // A form that was left is kept in its tab.
    const page = await context.newPage();
    const faults = async (): Promise<readonly string[]> => [
      ...(isFirst ? await faultsInBothSchemes(page) : await accessibilityFaults(page, 'html', SIZES)),
      ...(await widthFaults(page)),
    ];
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.origin}/dashboard/tokens?lang=${lang}`);
    for (const label of LABELS) await expect(page.getByText(label, { exact: true }).first()).toBeVisible();
    await page.locator('summary').first().click();
    expect(await faults(), lang).toEqual([]);
    await page.locator('li .actions button').first().click();
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    expect(await faults(), lang).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.kinds .primary').click();
    await expect(page.locator('textarea').first()).toBeVisible();
    await page.locator('[name=label]').fill('w'.repeat(129));
    await expect(page.locator('#fault-label')).toBeVisible();
    expect(await faults(), lang).toEqual([]);
    await page.close();
  }
});
