import { codeAt } from '../../support/authenticator-app.ts';
import { accessibilityFaults, faultsInBothSchemes } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

const STEP_MS = 30_000;

test('a person sets a password with an authenticator app, and logs in by it on an address without a name', async ({
  page,
  server,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.setViewportSize({ width: 390, height: 844 });
  await newAccount(server, 'passwords');
  await openDashboard(page, server, { path: '/security', account: 'passwords' });
  const ways = page.getByRole('region', { name: 'Ways to log in' });
  const dialog = page.getByRole('dialog');
  await ways.getByRole('button', { name: 'Set a password' }).click();
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('Anna');
  await dialog.getByRole('textbox', { name: 'Login name' }).fill('anna@example.com');
  await dialog.getByLabel('New password').fill('correct horse battery');
  await dialog.getByRole('textbox', { name: 'Code of your' }).fill('000000');
  expect(await faultsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set a password' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/^The code is wrong, or it came too late\./);
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  // The code of the step before is accepted too: a step that begins meanwhile does no harm.
  await dialog.getByRole('textbox', { name: 'Code of your' }).fill(codeAt(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Set a password' }).click();
  await expect(ways.getByText('anna@example.com')).toBeVisible();
  await expect(page.getByText('passwords · Anna')).toBeVisible();

  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveTitle('Log in · Streamgate');
  await page.getByText('Log in with a password').click();
  expect(await accessibilityFaults(page)).toEqual([]);
  const form = page.locator('main form');
  await form.getByRole('textbox', { name: 'Login name' }).fill('anna@example.com');
  await form.getByLabel('Password').fill('wrong horse battery');
  await form.getByRole('textbox', { name: 'Code of your' }).fill('000000');
  await form.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/^The login name, the password or the code is wrong\./);
  await form.getByLabel('Password').fill('correct horse battery');
  // That of the step after is accepted too. The present one was used.
  await form.getByRole('textbox', { name: 'Code of your' }).fill(codeAt(secret, Date.now() + STEP_MS));
  await form.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('passwords · Anna')).toBeVisible();

  await ways.getByRole('button', { name: 'Remove the password' }).click();
  await dialog.getByRole('button', { name: 'Remove the password' }).click();
  await expect(ways.getByRole('button', { name: 'Set a password' })).toBeVisible();
  expect(faults).toEqual([]);
});
