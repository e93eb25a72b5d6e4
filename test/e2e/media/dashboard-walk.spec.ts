import type { Page } from '@playwright/test';
import { expectMovingPicture, goLive, refusalCodeOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';
import { virtualAuthenticator } from '../support/virtual-authenticator.ts';

const STREAM = 'keynote';
/** Of the token to watch. */
const LABEL = 'ticket 1';

test.describe('an owner of a new account', () => {
  test('goes the whole way in the dashboard: from the first link to the timeline of a viewer whose token was disabled', async ({
    server,
    streamName: account,
    page,
    context,
  }) => {
    await server.cli('account', 'create', account);
    const { link } = await server.cli('dashboard', '--account', account);
    // Browsers have passkeys for host names, not for addresses.
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    await page.goto(`${origin}/dashboard${new URL(String(link)).hash}`);
    await logInWithPasskey(page, account);
    await createSecret(page);
    await createPublishToken(page);
    const viewerLink = await createSubscribeToken(page);

    const broadcaster = await context.newPage();
    await broadcaster.goto(await broadcasterLink(page));
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await viewer.goto(viewerLink);
    await expectMovingPicture(viewer);

    await page.bringToFront();
    await open(page, 'Live');
    const stream = page.getByRole('region', { name: STREAM, exact: true });
    await expect(stream.getByText('Viewers: 1')).toBeVisible();
    await expect(stream.getByRole('img', { name: `Picture of ${STREAM}` })).toHaveJSProperty('complete', true);
    await stream.getByRole('button', { name: 'Show connections' }).click();
    const watching = stream.getByRole('listitem').filter({ hasText: 'Picture after' });
    // The first report of a viewer comes after some seconds.
    await expect(watching).toContainText(/\d+p/);
    await expect(watching).toContainText(/Receives \d+ × \d+, [\d.]+ Mb\/s/);

    await openTokensToWatch(page);
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('button', { name: `Disable ${LABEL}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'is disabled.' })).toBeVisible();
    await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe('token_disabled');
    await viewer.reload();
    await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe('token_disabled');

    await open(page, 'Refusals');
    await page
      .getByRole('button', { name: `Explain the refusal of ${STREAM}` })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('The same request would be refused now.')).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'About this reason' })).toHaveAttribute(
      'href',
      '/errors/token_disabled',
    );
    await dialog.getByRole('button', { name: 'Done' }).click();

    await openDetails(page);
    const session = page.getByRole('listitem').filter({ hasText: 'Ended: The token is disabled.' });
    await expect(session).toContainText('Picture after');
    await session.getByRole('button', { name: /^Timeline of/ }).click();
    for (const name of ['Admitted', 'Media connected', 'First picture', 'Session ended'])
      await expect(dialog.getByText(name, { exact: true })).toBeVisible();
    await expect(dialog.getByText('Ended: The token is disabled.')).toBeVisible();
  });

  /** Adds a passkey, logs out, and logs in by it. */
  async function logInWithPasskey(page: Page, account: string): Promise<void> {
    await virtualAuthenticator(page);
    await open(page, 'Security');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Anna');
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('Laptop');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Laptop' })).toBeVisible();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(page.getByText(`${account} · Anna`)).toBeVisible();
  }

  /** Creates the API secret, and calls the API with it. */
  async function createSecret(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Create the API secret' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.getByRole('textbox').inputValue();
    const { status } = await fetch(`${new URL(page.url()).origin}/api/publish_token/list`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
  }

  /** Its viewers need a token. */
  async function createPublishToken(page: Page): Promise<void> {
    await open(page, 'Tokens');
    await page.getByRole('button', { name: 'New token to publish' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill(STREAM);
    await page.getByRole('textbox', { name: 'Stream names, one per line' }).fill(STREAM);
    await page.getByRole('checkbox', { name: 'Viewers need a token' }).check();
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  }

  /** Returns the link for its viewers. */
  async function createSubscribeToken(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'To watch' }).click();
    await page.getByRole('button', { name: 'New token to watch' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill(LABEL);
    await page.getByRole('textbox', { name: 'Stream names, one per line' }).fill(STREAM);
    await page.getByRole('button', { name: 'Create the token' }).click();
    const dialog = page.getByRole('dialog');
    const link = await dialog.getByRole('textbox', { name: 'Viewer link' }).inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  }

  async function broadcasterLink(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'To publish' }).click();
    await page.getByRole('button', { name: `Links and codes of ${STREAM}` }).click();
    const dialog = page.getByRole('dialog');
    const link = await dialog.getByRole('textbox', { name: 'Broadcaster link' }).inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  }

  async function openTokensToWatch(page: Page): Promise<void> {
    await open(page, 'Tokens');
    await page.getByRole('button', { name: 'To watch' }).click();
    await expect(page.getByRole('heading', { name: LABEL })).toBeVisible();
  }

  /** The statistics include a session some seconds after it ended. */
  async function openDetails(page: Page): Promise<void> {
    const details = page.getByRole('button', { name: `Details of ${STREAM}` });
    await expect(async () => {
      await page.goto(`${new URL(page.url()).origin}/dashboard/statistics`);
      await expect(details).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await details.click();
  }
});

const open = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
