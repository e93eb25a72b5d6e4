import { accessibilityFaults, faultsInBothSchemes, widthFaults } from '../support/accessibility-faults.ts';
import { newAccount, openDashboard } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

const LIVE = {
  streamName: 'keynote',
  liveSince: new Date().toISOString(),
  viewers: 1_234,
  viewersOverTime: [],
  sources: [],
};

test.describe('the first page of the dashboard', () => {
  test('shows what is on air, and stops it after it has said what that does to viewers', async ({ page, server }) => {
    let streams = [LIVE];
    const stops: unknown[] = [];
    await page.route('**/api/live', (route) => route.fulfill({ json: { status: 'success', data: streams } }));
    await page.route('**/api/stream/stop', (route) => {
      stops.push(route.request().postDataJSON());
      streams = [];
      return route.fulfill({ json: { status: 'success', data: { stoppingLevel: 'Stream' } } });
    });
    await openDashboard(page, server);
    const onAir = page.getByRole('region', { name: 'Live now' });
    await expect(onAir.getByText('Viewers: 1,234')).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await onAir.getByRole('button', { name: 'Stop broadcast of keynote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop the broadcast of keynote?' });
    await expect(dialog.getByText('The picture ends for all viewers.')).toBeVisible();
    await expect(dialog.getByText('Viewers: 1,234')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(stops).toEqual([]);
    await dialog.getByRole('button', { name: 'Stop broadcast' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'The broadcast of keynote was stopped.' })).toBeVisible();
    await expect(onAir).toHaveCount(0);
    expect(stops).toHaveLength(1);
  });

  test('leads somebody who came by a link to a way back in', async ({ page, server }) => {
    await openDashboard(page, server, { hostname: 'localhost' });
    await page
      .getByRole('region', { name: 'Log in again by yourself' })
      .getByRole('link', { name: 'Add a passkey' })
      .click();
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  });

  test('asks once how long a link for viewers works, and shows the same link afterwards', async ({ page, server }) => {
    const account = await newAccount(server, 'links');
    await server.cli(
      'token',
      'create',
      'publish',
      '--label',
      'talk',
      '--stream',
      'talk',
      '--record',
      'true',
      '--account',
      account,
    );
    await openDashboard(page, server, { account, path: '?viewerLink=talk' });
    const dialog = page.getByRole('dialog', { name: 'Viewer link for talk' });
    await dialog.getByRole('combobox', { name: 'How long the link works' }).selectOption('30 days');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    const link = dialog.getByRole('textbox', { name: 'Viewer link' });
    await expect(link).toBeFocused();
    const made = await link.inputValue();
    expect(made).toContain(`/viewer?streamId=links%2Ftalk&dvr=true#token=`);
    await expect(dialog.getByText(/^Expires /)).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    // The address asks for no link any more.
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('button', { name: 'Viewer link for talk' }).click();
    await expect(link).toBeFocused();
    await expect(link).toHaveValue(made);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await widthFaults(page)).toEqual([]);
    expect(await faultsInBothSchemes(page)).toEqual([]);
  });
});
