import type { Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';
import { accessibilityFaults, faultsInBothSchemes, SIZES, widthFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';
import { virtualAuthenticator } from '../support/virtual-authenticator.ts';

/** Browsers have passkeys for host names, not for addresses. */
const hostOf = ({ origin }: ServerProcess): string => origin.replace('127.0.0.1', 'localhost');

/** Opens the security page by a link of the operator. */
async function openSecurity(page: Page, server: ServerProcess, name: string): Promise<void> {
  const account = await newAccount(server, name);
  await openDashboard(page, server, { path: '/security', account, hostname: 'localhost' });
}

async function addPasskey(page: Page, { person, name }: { person?: string; name: string }): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  if (person) await dialog.getByRole('textbox', { name: 'Your name' }).fill(person);
  await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill(name);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
}

test('a person adds a passkey after the first link, logs out, and logs in by it', async ({ page, server }) => {
  const { devtools, id } = await virtualAuthenticator(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await openSecurity(page, server, 'passkeys');
  const ways = page.getByRole('region', { name: 'Ways to log in' });
  await expect(ways.getByText('You are logged in by a link of the operator.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await addPasskey(page, { person: 'Anna', name: 'Laptop' });
  await expect(ways.getByRole('heading', { name: 'Laptop' })).toBeVisible();
  await expect(page.getByText('passkeys · Anna')).toBeVisible();
  await expect(ways.getByText('Never used')).toBeVisible();

  await addPasskey(page, { name: 'Again' });
  await expect(page.getByRole('alert')).toHaveText('This device has a passkey for this account already.');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await ways.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(ways.getByRole('heading', { name: 'Work laptop' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByText('You are logged out.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByText('passkeys · Anna')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible();
  await expect(ways.getByText(/^Last used /)).toBeVisible();

  await ways.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(ways.getByText('You have no passkey yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText('This passkey is not known here. It may have been removed.');

  await devtools.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText('No passkey was chosen.');
  await expect(page.getByText('npx streamgate dashboard')).toBeVisible();
  expect(faults).toEqual([]);
});

test('a member of every role has passkeys, and sees no more of the security page than the role permits', async ({
  page,
  server,
}) => {
  await virtualAuthenticator(page);
  await newAccount(server, 'roles');
  const { link } = await server.cli('member', 'invite', '--name', 'Berta', '--role', 'figures', '--account', 'roles');
  await page.goto(`${hostOf(server)}/dashboard/security${new URL(String(link)).hash}`);
  await addPasskey(page, { name: 'Phone' });
  await expect(page.getByRole('heading', { name: 'Phone' })).toBeVisible();
  await expect(page.getByRole('region').getByRole('heading', { level: 2 })).toHaveText([
    'Ways to log in',
    'What other roles can do',
  ]);
  const { members } = (await server.cli('member', 'list', '--account', 'roles')) as { members: { passkeys: number }[] };
  expect(members[0]?.passkeys).toBe(1);
});

test('a page without a host name says what passkeys need', async ({ page, server }) => {
  await page.goto(`${server.origin}/dashboard`);
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toHaveCount(0);
  await openDashboard(page, server, { path: '/security' });
  await expect(page.getByText('Passkeys need HTTPS, or localhost,')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
});

test('the ways to log in fit a phone in English, German and Arabic, in both schemes', async ({ page, server }) => {
  await virtualAuthenticator(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${hostOf(server)}/dashboard`);
  await expect(page.getByRole('button')).toHaveCount(1);
  expect(await faultsInBothSchemes(page)).toEqual([]);
  for (const language of ['de', 'ar']) {
    await page.goto(`${hostOf(server)}/dashboard?lang=${language}`);
    await expect(page.locator(`html[lang=${language}]`).getByRole('button')).toHaveCount(1);
    expect([await widthFaults(page), await accessibilityFaults(page, 'html', SIZES)], language).toEqual([[], []]);
  }
  await openDashboard(page, server, { path: '/security', hostname: 'localhost' });
  await expect(page.locator('sign-in-ways button')).toHaveCount(2);
  expect(await faultsInBothSchemes(page)).toEqual([]);
  for (const language of ['de', 'ar']) {
    await page.goto(`${hostOf(server)}/dashboard/security?lang=${language}`);
    await expect(page.locator(`html[lang=${language}] sign-in-ways button`)).toHaveCount(2);
    expect([await widthFaults(page), await accessibilityFaults(page, 'html', SIZES)], language).toEqual([[], []]);
  }
});
