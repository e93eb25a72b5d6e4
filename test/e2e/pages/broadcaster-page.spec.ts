import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { goLive, openBroadcaster } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** All text and all field values of the page, including shadow trees. */
function shown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [location.href, document.title];
    const read = (root: Document | ShadowRoot): void => {
      texts.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
      for (const element of root.querySelectorAll('*')) {
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) texts.push(element.value);
        if (element.shadowRoot) read(element.shadowRoot);
      }
    };
    read(document);
    return texts.join('\n');
  });
}

test.describe('the hosted broadcaster', () => {
  test('never shows its token, and goes live after a reload', async ({ page, server, streamName, tokens }) => {
    const token = await tokens.publish(streamName);
    await openBroadcaster(page, { origin: server.origin, streamName, token });
    await expect(page.locator('stream-broadcaster')).toBeVisible();
    expect(page.url()).toBe(`${server.origin}/broadcaster?streamName=${streamName}&resolution=360`);
    await goLive(page);
    await expect(page.locator('copy-field').first()).toBeVisible();
    expect(await shown(page)).toContain(`streamId=main%2F${streamName}`);
    expect(await shown(page)).not.toContain(token);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await goLive(page);
    expect(await shown(page)).not.toContain(token);
    await page.getByRole('button', { name: 'Stop' }).click();

    // The history does not contain the link with the token.
    await page.goto(`${server.origin}/healthz`);
    await page.goBack();
    await expect(page.locator('stream-broadcaster')).toBeVisible();
    expect(await shown(page)).not.toContain(token);
  });

  test('says before the start that it records, shows REC while it does, and stays live in another language', async ({
    page,
    server,
    streamName,
    tokens,
  }) => {
    const token = await tokens.publish(streamName, { record: true });
    await openBroadcaster(page, { origin: server.origin, streamName, token });
    const announced = page.getByText('This broadcast will be recorded from its start.');
    const sign = page.locator('stream-broadcaster').getByText('REC', { exact: true });
    await expect(announced).toBeVisible();
    await expect(sign).toHaveCount(0);
    expect(await shown(page)).toContain(`streamId=main%2F${streamName}&amp;dvr=true`);
    await goLive(page);
    await expect(sign).toBeVisible();
    await expect(announced).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Deutsch' });
    await expect(page.getByRole('button', { name: 'Aufnahme beenden' })).toBeVisible();
    await expect(sign).toBeVisible();
    await page.getByRole('button', { name: 'Beenden', exact: true }).click();
    await expect(page.getByText('Diese Sendung wird von Beginn an aufgenommen.')).toBeVisible();
    await expect(sign).toHaveCount(0);
  });

  test('leads from a private stream to the links with a token, beside the broadcast', async ({
    page,
    server,
    streamName,
    tokens,
  }) => {
    const token = await tokens.publish(streamName, { subscribeRequiresAuth: true });
    await openBroadcaster(page, { origin: server.origin, streamName, token });
    const link = page.getByRole('link', { name: 'Create a link for viewers' });
    await expect(link).toHaveAttribute('href', `/dashboard?viewerLink=${streamName}`);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(page.locator('copy-field')).toHaveCount(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('begins with camera and microphone as the link says, and the person switches them on', async ({
    page,
    server: { origin },
    streamName,
    tokens,
  }) => {
    const token = await tokens.publish(streamName);
    const tag = page.locator('stream-broadcaster');
    const enabled = () =>
      tag.evaluate((element) => {
        const { microphoneEnabled, cameraEnabled, sourceId } = element as HTMLElementTagNameMap['stream-broadcaster'];
        return { microphoneEnabled, cameraEnabled, sourceId };
      });
    const query = `streamName=${streamName}&disableVideo=true&noAudio&sourceId=stage`;
    await page.goto(`${origin}/broadcaster?${query}#token=${token}`);
    await page.getByRole('button', { name: 'Turn on camera' }).click();
    await goLive(page);
    expect(await enabled()).toEqual({ microphoneEnabled: false, cameraEnabled: true, sourceId: 'stage' });
    // The page renders again when the broadcast is live. What the person chose stays.
    await expect(page.locator('copy-field').first()).toBeVisible();
    await page.getByRole('button', { name: 'Turn on microphone' }).click();
    expect(await enabled()).toEqual({ microphoneEnabled: true, cameraEnabled: true, sourceId: 'stage' });
  });

  test('says what to do when it was loaded over http, where browsers have no camera', async ({
    page,
    server,
    streamName,
  }) => {
    const origin = 'http://live.example';
    await page.route(`${origin}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: server.origin + pathname + search }) });
    });
    await openBroadcaster(page, { origin, streamName, token: 'secret' });
    await expect(page.getByRole('heading', { name: 'The camera is not available here' })).toBeVisible();
    await expect(page.locator('stream-broadcaster')).toHaveCount(0);
    expect(await shown(page)).not.toContain('secret');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'How to set up https' }).click();
    await expect(page.getByText('set `TLS_CERT` and `TLS_KEY`')).toBeVisible();
  });

  test('uses the token of the link that was opened last, in this tab only, and says before the start if it is refused', async ({
    page,
    context,
    server,
    streamName,
    tokens,
  }) => {
    const address = { origin: server.origin, streamName };
    const token = () => page.evaluate(() => document.querySelector('stream-broadcaster')?.token);
    await openBroadcaster(page, { ...address, token: 'first' });
    await expect.poll(token).toBe('first');
    await openBroadcaster(page, { ...address, token: 'second' });
    await expect.poll(token).toBe('second');
    expect(page.url()).not.toContain('second');
    await page.reload();
    await expect.poll(token).toBe('second');
    const refused = page.getByText('You cannot go live with this link.');
    await expect(refused).toBeVisible();
    await expect(page).toHaveTitle(`Your access is not valid · ${streamName}`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await openBroadcaster(page, { ...address, token: await tokens.publish(streamName) });
    await expect(page.getByRole('heading', { name: 'Share' })).toBeVisible();
    await expect(refused).toHaveCount(0);

    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
  });
});
