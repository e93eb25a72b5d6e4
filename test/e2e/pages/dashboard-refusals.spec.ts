import { ManagementClient } from '../../../src/management.ts';
import { accessibilityFaults, faultsInBothSchemes } from '../support/accessibility-faults.ts';
import { openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

test('the page of refusals explains a refused website, and allows it', async ({ page, server, tokens, streamName }) => {
  const token = await tokens.subscribe(streamName, { allowedOrigins: ['example.com'] });
  const ask = () =>
    fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        origin: 'https://shop.example.net',
      },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
    });
  expect((await ask()).status).toBe(401);

  await openDashboard(page, server, { path: '/refusals' });
  await page.getByRole('textbox', { name: 'Stream name' }).fill(streamName);
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('The token is for other websites.');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  // Other tests are refused on the server too.
  await expect(page.getByRole('region', { name: 'Refusals' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: `Explain the refusal of ${streamName}` }).click();
  const dialog = page.getByRole('dialog');
  // It is longer than the window: it begins with its first line.
  await expect(dialog.getByRole('heading')).toBeInViewport();
  await expect(dialog.getByText('The same request would be refused now.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Allow shop.example.net' }).click();
  await expect(dialog.getByText('The token then works on shop.example.net too')).toBeVisible();
  await dialog.getByRole('button', { name: 'Allow shop.example.net', exact: true }).click();
  await expect(page.getByText('The same request would now pass this rule.')).toBeVisible();
  expect((await ask()).status).toBe(200);

  await page.getByRole('button', { name: `Explain the refusal of ${streamName}` }).click();
  await expect(dialog.getByText('The same request would be admitted now.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Allow/ })).toHaveCount(0);
});

test('the page of refusals puts the same refusals together, shows them alone, and allows their website', async ({
  page,
  server,
}) => {
  const account = 'groups';
  await server.cli('account', 'create', account);
  const { secret } = await server.cli('secret', 'create', '--account', account);
  const { subscribeTokens } = new ManagementClient({ endpoint: server.origin, secret: String(secret) });
  const { token } = await subscribeTokens.create({
    label: 'shop',
    streams: [{ streamName: 'keynote' }],
    allowedOrigins: ['example.com'],
  });
  const ask = (origin: string) =>
    fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, origin },
      body: JSON.stringify({ streamName: 'keynote', streamAccountId: account }),
    });
  for (const origin of ['https://shop.example.net', 'https://shop.example.net', 'https://other.test'])
    await ask(origin);

  await openDashboard(page, server, { path: '/refusals', account });
  const groups = page.getByRole('region', { name: 'The most frequent' });
  await expect(groups.getByRole('listitem').first()).toContainText('Requests: 2');
  await expect(groups.getByRole('listitem').first()).toContainText('https://shop.example.net');
  expect(await accessibilityFaults(page)).toEqual([]);
  await groups
    .getByRole('button', { name: 'Show only: The token is for other websites. Token “shop”' })
    .first()
    .click();
  await expect(groups.getByRole('button', { name: 'Show all again' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Refusals' }).getByRole('listitem')).toHaveCount(3);
  const allow = groups.getByRole('button', { name: 'Allow shop.example.net' });
  await allow.press('Enter');
  const dialog = page.getByRole('dialog');
  expect(await accessibilityFaults(page)).toEqual([]);
  // The button was disabled until the dialog opened, and has the focus again.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(allow).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Allow shop.example.net' }).click();
  await expect(page.getByText('The same request would now pass this rule.')).toBeVisible();
  expect((await ask('https://shop.example.net')).status).toBe(200);
});

test('the dashboard has no accessibility fault on any page, in both schemes', async ({
  page,
  server,
  streamName,
  tokens,
}) => {
  await tokens.publish(streamName);
  await openDashboard(page, server);
  await expect(page.getByRole('heading', { name: 'Publish tokens' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  for (const [link, heading] of [
    ['Live', 'Live now'],
    ['Statistics', 'Statistics'],
    ['Changes', 'Changes'],
  ] as const) {
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    expect(await faultsInBothSchemes(page)).toEqual([]);
  }
  await page.getByText('What changed').first().click();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await page.goto(`${server.origin}/dashboard/refusals?lang=ar`);
  await expect(page.getByRole('heading', { level: 1, name: 'حالات الرفض' })).toBeVisible();
  expect(await faultsInBothSchemes(page)).toEqual([]);
});
