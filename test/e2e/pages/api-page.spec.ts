import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** Opens the page without access to other origins. Records its requests to them, and the violations of its policy. */
async function openApiPage(page: Page, origin: string): Promise<{ outside: string[]; violations: string[] }> {
  const outside: string[] = [];
  const violations: string[] = [];
  await page.route(
    ({ href }) => !href.startsWith(origin) && !/^(data|blob):/.test(href),
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  await page.exposeFunction('noteViolation', (violation: string) => violations.push(violation));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      Reflect.get(window, 'noteViolation')(`${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
  await page.goto(`${origin}/api/docs`);
  return { outside, violations };
}

const storage = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state]));

test('shows the API and tries a call with the API secret, without a request to another origin', async ({
  page,
  server: { origin },
  apiSecret,
  tokens,
  streamName,
}) => {
  await tokens.publish(streamName);
  const { outside, violations } = await openApiPage(page, origin);
  await page.getByText('Authentication', { exact: true }).click();
  const secret = page.getByPlaceholder('api-token').first();
  await secret.fill(apiSecret);
  await expect(secret).toHaveAttribute('autocomplete', 'off');
  await secret.press('Enter');
  await expect(page.getByText('Key Applied', { exact: true })).toBeVisible();

  await page.getByText('List the publish tokens', { exact: true }).click();
  const answered = page.waitForResponse((response) => response.url().includes('/api/publish_token/list?'));
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
  await expect(page.getByText(streamName).first()).toBeVisible();

  expect(await storage(page)).not.toContain(apiSecret);
  expect((await page.context().storageState()).origins).toEqual([]);
  await page.reload();
  const afterReload = page.waitForResponse((response) => response.url().includes('/api/publish_token/list?'));
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await afterReload).status(), 'the secret does not survive a reload').toBe(401);

  expect(outside).toEqual([]);
  expect(violations).toEqual([]);
});

test('has a policy that allows only the scripts of the server', async ({ page, server: { origin } }) => {
  const { violations } = await openApiPage(page, origin);
  await expect(page.getByText('Publish tokens', { exact: true })).toBeVisible();
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.ran = true">'));
  await expect.poll(() => violations.length).toBeGreaterThan(0);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  const outcome = page.evaluate(() =>
    fetch('https://elsewhere.invalid/').then(
      () => 'sent',
      () => 'blocked',
    ),
  );
  expect(await outcome).toBe('blocked');
  await expect.poll(() => violations.some((violation) => violation.startsWith('connect-src'))).toBe(true);
});

test('waits for a slow description of the API, and says when it cannot be had', async ({
  page,
  server: { origin },
}) => {
  const answers = [Promise.withResolvers<'fail' | 'go on'>(), Promise.withResolvers<'fail' | 'go on'>()];
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  await page.clock.install();
  await page.route('**/api/openapi.json', async (route) => {
    const request = requests++;
    asked[request]!.resolve();
    await ((await answers[request]!.promise) === 'fail' ? route.abort() : route.continue());
  });
  await page.goto(`${origin}/api/docs`);
  await asked[0]!.promise;
  answers[0]!.resolve('fail');
  await expect(page.getByRole('alert')).toContainText('The description of the API could not be loaded');
  await page.getByRole('button', { name: 'Try again' }).click();
  await asked[1]!.promise;
  await page.clock.fastForward('05:00');
  answers[1]!.resolve('go on');
  await expect(page.getByText('Publish tokens', { exact: true })).toBeVisible();
  expect(requests).toBe(2);
});
