import { expect, type Page } from '@playwright/test';
import type { ServerProcess } from '../../support/server-process.ts';

interface Where {
  /** Below `/dashboard`, such as `/tokens`, with the query. */
  readonly path?: string;
  readonly account?: string;
  /** The name of the host in the address, where it must not be an address. */
  readonly hostname?: string;
}

/** Logs in by a new link, and waits until the page has read what it shows. */
export async function openDashboard(
  page: Page,
  server: ServerProcess,
  { path = '', account = 'main', hostname = '127.0.0.1' }: Where = {},
): Promise<void> {
  const { link } = await server.cli('dashboard', '--account', account);
  const url = new URL(`${server.origin}/dashboard${path}${new URL(String(link)).hash}`);
  url.hostname = hostname;
  await page.goto(url.href);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // It says that it loads, in the language of the page.
  await expect(page.locator('p.soft[role=status]')).toHaveCount(0);
}

/** An account that no other test uses. */
export async function newAccount(server: ServerProcess, name: string): Promise<string> {
  await server.cli('account', 'create', name);
  return name;
}
