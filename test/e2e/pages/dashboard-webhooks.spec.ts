import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

test('a person creates a webhook, tests it, replaces its key and removes it', async ({ page, server, context }) => {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(String(error.error())));
  await newAccount(server, 'hooker');
  await openDashboard(page, server, { path: '/webhooks', account: 'hooker' });
  await expect(page.getByText('There are no webhooks.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const url = dialog.getByRole('textbox', { name: 'Address of the receiver' });
  await expect(url).toBeFocused();
  await expect(dialog.getByText('Enter an address')).toBeVisible();
  await url.fill('http://10.0.0.1/hooks');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toContainText('must not be an address of a private network');
  await url.fill('https://receiver.invalid/hooks');
  await dialog.getByRole('checkbox', { name: 'Requests refused' }).uncheck();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();

  const key = dialog.getByRole('textbox', { name: 'Signing key' });
  await expect(key).toHaveValue(/^whsec_/);
  await expect(key).toBeFocused();
  const first = await key.inputValue();
  await dialog.getByRole('button', { name: 'Replace the key' }).click();
  await expect(key).not.toHaveValue(first);
  await expect(key).toBeFocused();
  await expect(dialog.getByText('calls are signed with the old key too')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'https://receiver.invalid/hooks' });
  await expect(row).toContainText('Stream started');
  await expect(row).not.toContainText('Requests refused');

  await row.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('heading', { name: 'Deliveries: https://receiver.invalid/hooks' })).toBeVisible();
  const sent = page.getByRole('listitem').filter({ hasText: 'webhook.test' });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(sent).toContainText('Given up', { timeout: 500 });
  }).toPass();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'All webhooks' }).click();

  await row.getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('There are no webhooks.')).toBeVisible();
  expect(faults).toEqual([]);
});

test('a person replaces a key that cannot be read, and removes a webhook that cannot be read', async ({
  page,
  server,
}) => {
  await newAccount(server, 'damaged');
  const add = async (name: string) =>
    (
      await server.cli(
        'webhook',
        'add',
        `https://${name}.invalid/`,
        '--event',
        'stream.started',
        '--account',
        'damaged',
      )
    )['id'];
  const ids = { key: Number(await add('key')), row: Number(await add('row')) };
  const sqlite = new DatabaseSync(join(server.dataDir, 'streamgate.db'));
  sqlite.prepare(`update webhook set key_sealed = 'damaged' where id = ?`).run(ids.key);
  sqlite.prepare(`update webhook set url = 'damaged' where id = ?`).run(ids.row);
  sqlite.close();
  await openDashboard(page, server, { path: '/webhooks', account: 'damaged' });

  const withoutKey = page.getByRole('listitem').filter({ hasText: 'https://key.invalid/' });
  await expect(withoutKey).toContainText('Nothing is sent');
  await expect(withoutKey).toContainText('Replace the key and give your receiver the new one.');
  await expect(withoutKey.getByRole('button', { name: 'Send a test' })).toHaveCount(0);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `#${ids.row}` }) });
  await expect(row).toContainText('Remove the webhook and create it again.');
  expect(await accessibilityFaults(page)).toEqual([]);

  await withoutKey.getByRole('button', { name: 'Deliveries' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Deliveries: https://key.invalid/' })).toContainText(
    'cannot read the signing key',
  );
  await page.getByRole('button', { name: 'All webhooks' }).press('Enter');

  const dialog = page.getByRole('dialog');
  await withoutKey.getByRole('button', { name: 'Replace the key' }).press('Enter');
  await expect(dialog).toContainText('Replace the key: https://key.invalid/');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Replace the key' }).press('Enter');
  const key = dialog.getByRole('textbox', { name: 'Signing key' });
  await expect(key).toHaveValue(/^whsec_/);
  await expect(key).toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(withoutKey).toContainText('Active');
  await expect(withoutKey.getByRole('button', { name: 'Signing key' })).toBeFocused();
  await expect(withoutKey.getByRole('button', { name: 'Send a test' })).toBeVisible();

  await row.getByRole('button', { name: `Remove: #${ids.row}` }).press('Enter');
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('status')).toContainText(`#${ids.row} is removed.`);
});
