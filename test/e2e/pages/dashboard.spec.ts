import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

/** What the browser reports against the policy of the page, and errors of its scripts. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** The status of a call of the management API with this secret or key. */
const statusWith = async (server: ServerProcess, secret: string): Promise<number> =>
  (await fetch(`${server.origin}/api/publish_token/list`, { headers: { authorization: `Bearer ${secret}` } })).status;

const logOutElsewhere = async (context: BrowserContext): Promise<void> => context.clearCookies();

test.describe('the pages of the dashboard', () => {
  test('are reached by the navigation, by the back button and by their addresses', async ({ page, server }) => {
    const faults = faultsOf(page);
    await openDashboard(page, server);
    await page.getByRole('link', { name: 'Security' }).click();
    await expect(page).toHaveURL(/\/dashboard\/security$/);
    await expect(page).toHaveTitle('Security · Streamgate');
    await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeFocused();
    await page.goBack();
    await expect(page.getByRole('textbox', { name: 'Stream name' })).toBeVisible();
    await page.reload();
    await page.getByRole('textbox', { name: 'Stream name' }).waitFor();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeFocused();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('link', { name: 'Tokens' })).toBeHidden();
    await page.getByRole('button', { name: 'Home', expanded: false }).click();
    await page.getByRole('group', { name: 'Access' }).getByRole('link', { name: 'Tokens' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Tokens', expanded: false })).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.origin}/dashboard/refusals`);
    await expect(page.getByRole('heading', { level: 1, name: 'Refusals' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Refusals' })).toHaveAttribute('aria-current', 'page');
    await page.goto(`${server.origin}/dashboard/nothing`);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
    expect(faults).toEqual([]);
  });

  test('have space between their parts, and one line of links on a wide screen', async ({ page, server }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openDashboard(page, server);
    const links = page.getByRole('navigation').getByRole('link');
    const names = await links.allInnerTexts();
    expect(names.length).toBeGreaterThan(9);
    const tight: string[] = [];
    for (const name of names) {
      await links.getByText(name, { exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(page.getByText('Loading…')).toHaveCount(0);
      // Texts for screen readers have a height of one pixel.
      const gaps = await page.locator('main > *').evaluate((shown) => {
        const boxes = [...shown.children]
          .map((part) => part.getBoundingClientRect())
          .filter(({ height }) => height > 1);
        return boxes.slice(1).map(({ top }, index) => top - boxes[index]!.bottom);
      });
      if (Math.min(...gaps) < 12) tight.push(name);
    }
    expect(tight).toEqual([]);
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });

  test('show what the server reports, and lead to a page that says what to do', async ({ page, server }) => {
    await page.route('**/readyz', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'fail', data: { problems: [{ code: 'disk_full', message: 'The disk is full' }] } },
      }),
    );
    await openDashboard(page, server);
    const reports = page.getByRole('region', { name: 'The server reports' });
    await expect(reports.getByRole('listitem')).toContainText('The disk is full');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unroute('**/readyz');
    await reports.getByRole('link', { name: 'What to do: disk_full' }).click();
    await expect(page.getByText('# disk_full')).toBeVisible();
  });

  test('show what their addresses say: after a reload, on the way back, and to whoever is sent one', async ({
    page,
    server,
  }) => {
    await openDashboard(page, server, { path: '/tokens' });
    const toWatch = page.getByRole('button', { name: 'To watch', exact: true });
    const search = page.getByRole('searchbox');
    const state = page.getByRole('combobox', { name: 'State' });
    const shown = async () => [
      await toWatch.getAttribute('aria-pressed'),
      await search.inputValue(),
      await state.inputValue(),
    ];
    await toWatch.click();
    await search.pressSequentially('none such');
    await state.selectOption('Disabled');
    await expect(page).toHaveURL(/\/dashboard\/tokens\?kind=subscribe&search=none\+such&state=disabled$/);
    await page.reload();
    await expect(search).toBeVisible();
    expect(await shown()).toEqual(['true', 'none such', 'disabled']);
    await page.goBack();
    await expect(state).toHaveValue('');
    expect(await shown()).toEqual(['true', 'none such', '']);
    // A search is one step of the way back, and not each of its letters.
    await page.goBack();
    await expect(search).toHaveValue('');
    await page.goForward();
    await expect(search).toHaveValue('none such');

    await page.goto(`${server.origin}/dashboard/refusals?reason=token_expired&stream=keynote&lang=de`);
    await expect(page.getByRole('combobox', { name: 'Grund' })).toHaveValue('token_expired');
    await page.getByRole('link', { name: 'Änderungen' }).click();
    // Other pages take over the language, and nothing else.
    await expect(page).toHaveURL(/\/dashboard\/audit\?lang=de$/);
    await page.goBack();
    await expect(page.getByRole('textbox', { name: 'Stream-Name' })).toHaveValue('keynote');
    await page.goto(`${server.origin}/dashboard/statistics?range=day`);
    await expect(page.locator('select').last()).toHaveValue('day');
  });

  test('appear in the language that the person chooses, with what they have entered', async ({ page, server }) => {
    await openDashboard(page, server);
    await page.getByRole('textbox', { name: 'Stream name' }).fill('entered');
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'العربية' });
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('button', { name: 'تسجيل الخروج' })).toBeVisible();
    await expect(page.locator('input[name=streamName]')).toHaveValue('entered');
    await expect(page).toHaveTitle(/^الرئيسية/);
    // The choice is remembered where the address names no language.
    await page.goto(`${server.origin}/dashboard/live`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
    await page.getByRole('combobox', { name: 'اللغة' }).selectOption({ label: 'English' });
    await expect(page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
  });

  test('ask to log in again when the session has ended elsewhere', async ({ page, server, context }) => {
    await openDashboard(page, server);
    await logOutElsewhere(context);
    await page.getByRole('link', { name: 'Security' }).click();
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    await expect(page.getByText('npx streamgate dashboard')).toBeVisible();
  });

  test('say that the server is away, and go on when it is back', async ({ page, server, context }) => {
    await openDashboard(page, server);
    await expect(page.getByRole('heading', { name: 'Publish tokens' })).toBeVisible();
    await context.route('**/api/account/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Security' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await context.unroute('**/api/account/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'API secret' })).toBeVisible();
  });
});

test('the page of tokens saves all that match as a table', async ({ page, server, tokens, streamName }) => {
  await tokens.publish(streamName);
  await openDashboard(page, server, { path: '/tokens' });
  await page.getByRole('searchbox').fill(streamName);
  await expect(page.getByRole('listitem').filter({ hasText: streamName })).toHaveCount(1);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download as CSV/ }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('publish-tokens.csv');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.trimEnd().split('\r\n')).toHaveLength(2);
  expect(text).toContain(streamName);
});

test('the security page creates a key, gives it a new value, and revokes it', async ({ page, server }) => {
  const faults = faultsOf(page);
  await openDashboard(page, server, { path: '/security' });
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('<b>nightly</b> 🌙');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one.');
  await dialog.getByRole('checkbox', { name: 'Read everything' }).check();
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await expect(dialog.getByText('It is not shown again.')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toBeFocused();
  const first = await dialog.getByRole('textbox').inputValue();
  expect(await statusWith(server, first)).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'New value for <b>nightly</b> 🌙' }).click();
  await dialog.getByRole('combobox').selectOption('Not at all');
  await dialog.getByRole('button', { name: 'New value' }).click();
  await expect(dialog.getByText('It is not shown again.')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toBeFocused();
  const second = await dialog.getByRole('textbox').inputValue();
  expect([await statusWith(server, first), await statusWith(server, second)]).toEqual([401, 200]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Revoke <b>nightly</b> 🌙' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  expect(await statusWith(server, second)).toBe(401);
  expect(faults).toEqual([]);
});

test('the security page refreshes the API secret, and the old one is refused', async ({ page, server }) => {
  // The other tests need the secret of the account `main`.
  await newAccount(server, 'shop');
  const old = String((await server.cli('secret', 'create', '--account', 'shop')).secret);
  await openDashboard(page, server, { path: '/security', account: 'shop' });
  expect(await statusWith(server, old)).toBe(200);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(await statusWith(server, old)).toBe(200);

  await page.getByRole('button', { name: 'Refresh' }).click();
  await dialog.getByRole('button', { name: 'Refresh' }).click();
  await expect(dialog.getByText('It is not shown again.')).toBeVisible();
  const fresh = await dialog.getByRole('textbox').inputValue();
  expect([await statusWith(server, old), await statusWith(server, fresh)]).toEqual([401, 200]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Delete the API secret' }).click();
  await dialog.getByRole('button', { name: 'Delete the API secret' }).click();
  await expect(page.getByText('This account has no API secret.')).toBeVisible();
  expect(await statusWith(server, fresh)).toBe(401);
});

test('the security page shows the browsers that are logged in, and logs another one out', async ({
  page,
  server,
  browser,
}) => {
  // An account of its own: other tests log in to the account main at the same time.
  await newAccount(server, 'logins');
  const elsewhere = await browser.newPage({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/143.0' });
  await openDashboard(elsewhere, server, { account: 'logins' });
  await openDashboard(page, server, { path: '/security', account: 'logins' });
  const logins = page.getByRole('region', { name: 'Logged-in browsers' });
  await expect(logins.getByRole('listitem')).toHaveCount(2);
  await expect(logins.getByText('This browser')).toBeVisible();
  await logins.getByRole('button', { name: 'Log out Firefox, Windows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(logins.getByRole('listitem')).toHaveCount(1);
  await elsewhere.getByRole('link', { name: 'Security' }).click();
  await expect(elsewhere.getByText('Your session has ended.')).toBeVisible();
  await elsewhere.close();
});

test('an owner invites a member, who sees what their role permits, until they are removed', async ({
  page,
  server,
  browser,
}) => {
  await newAccount(server, 'members');
  await openDashboard(page, server, { path: '/security', account: 'members' });
  const members = page.getByRole('region', { name: 'Members' });
  await expect(members.getByText('No members yet.')).toBeVisible();
  await members.getByRole('button', { name: 'Invite a member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name of the person' }).fill('Anna');
  await dialog.getByRole('radio', { name: /^Viewer of figures/ }).check();
  await dialog.getByRole('button', { name: 'Invite a member' }).click();
  const link = await dialog.getByRole('textbox', { name: 'Login link for Anna' }).inputValue();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(members.getByText('Viewer of figures')).toBeVisible();

  const anna = await browser.newPage();
  const refused: string[] = [];
  anna.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  await anna.goto(link);
  await expect(anna.getByRole('heading', { level: 1, name: 'Live now' })).toBeVisible();
  await expect(anna.getByText('members · Anna')).toBeVisible();
  await expect(anna.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).toHaveText([
    'Live',
    'Statistics',
    'Security',
  ]);
  for (const name of ['Statistics', 'Security']) {
    await anna.getByRole('link', { name }).click();
    await expect(anna.getByRole('heading', { level: 1, name })).toBeFocused();
    await expect(anna.getByText('Loading…')).toHaveCount(0);
  }
  await expect(anna.getByText(/^Owners: members and their roles/)).toBeVisible();
  await expect(anna.getByText(/^Owners and managers: tokens/)).toBeVisible();
  expect(await accessibilityFaults(anna)).toEqual([]);
  await anna.goto(`${server.origin}/dashboard/tokens`);
  await expect(anna.getByText('Only owners and managers of the account use this page.')).toBeVisible();
  await expect(anna.getByRole('main').locator('button, input, select')).toHaveCount(0);

  await members.getByRole('button', { name: 'Change role of Anna' }).click();
  await dialog.getByRole('radio', { name: /^Manager/ }).check();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(members.getByText('Manager')).toBeVisible();
  await anna.reload();
  await expect(anna.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
  await expect(anna.getByText('Loading…')).toHaveCount(0);
  const links = anna.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
  const pages = await links.allInnerTexts();
  for (const name of pages) {
    await links.getByText(name, { exact: true }).click();
    await expect(anna.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(anna.getByText('Loading…')).toHaveCount(0);
  }
  expect(pages).not.toContain('Webhooks');
  expect(refused).toEqual([]);

  // She is at a page that the role from now on does not permit.
  await links.getByText('Tokens', { exact: true }).click();
  await expect(anna.getByRole('button', { name: 'New token to publish' })).toBeVisible();
  await members.getByRole('button', { name: 'Change role of Anna' }).click();
  await dialog.getByRole('radio', { name: /^Viewer of figures/ }).check();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(members.getByText('Viewer of figures')).toBeVisible();
  await anna.getByRole('button', { name: 'To watch' }).click();
  await expect(anna.getByText('Only owners and managers of the account use this page.')).toBeVisible();
  await expect(links).toHaveText(['Live', 'Statistics', 'Security']);

  await members.getByRole('button', { name: 'Remove Anna' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(members.getByText('No members yet.')).toBeVisible();
  await anna.getByRole('link', { name: 'Live' }).click();
  await expect(anna.getByText('Your session has ended.')).toBeVisible();
  await anna.close();
});
