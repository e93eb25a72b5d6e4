import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { expect, test } from '../support/test.ts';

test('a person creates a webhook, tests it, replaces its key and removes it', async ({ page, server, context }) => {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(String(error.error())));
  await server.cli('account', 'create', 'hooker');
  const { link } = await server.cli('dashboard', '--account', 'hooker');
  await page.goto(`${server.origin}/dashboard/webhooks${new URL(String(link)).hash}`);
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
  const first = await key.inputValue();
  await dialog.getByRole('button', { name: 'Replace the key' }).click();
  await expect(key).not.toHaveValue(first);
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
