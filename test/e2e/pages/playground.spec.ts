import type { Locator, Page } from '@playwright/test';
import { analyzeTags } from '../../../scripts/editor-data/analyze-tags.ts';
import {
  accessibilityFaults,
  COLOURS,
  faultsInBothSchemes,
  SIZES,
  widthFaults,
} from '../support/accessibility-faults.ts';
import { expectMovingPicture, mediaFlows, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/playground.ts';

const VIEWER = 'stream-viewer';
const BROADCASTER = 'stream-broadcaster';

const playgroundOf = (page: Page, tag: string): Locator =>
  page.locator('tag-playground').filter({ has: page.locator(tag) });
const control = (playground: Locator, name: string): Locator => playground.locator(`[data-name="${name}"]`);
/** Opens every group of controls. */
const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const group of document.querySelectorAll('details')) group.open = true;
  });

/** The names in a group of controls: of attributes and the like, or of the properties that they set. */
const namesIn = (playground: Locator, title: string, attribute = 'data-name'): Promise<string[]> =>
  playground
    .locator('.group')
    .filter({ has: playground.page().locator('summary', { hasText: new RegExp(`^${title} `) }) })
    .locator(`[${attribute}]`)
    .evaluateAll((rows, name) => rows.map((row) => row.getAttribute(name)!), attribute);

const sorted = (names: readonly string[]): string[] => names.toSorted();

test.describe('the playground', () => {
  test('offers everything that the manifest lists for the tags', async ({ page, playground }) => {
    await page.goto(playground.origin);
    const tags = await analyzeTags();
    expect(tags).toHaveLength(2);
    for (const tag of tags) {
      const here = playgroundOf(page, tag.name);
      const names = (list: readonly { readonly name: string }[]): string[] => sorted(list.map(({ name }) => name));
      expect(sorted(await namesIn(here, 'Attributes'))).toEqual(names(tag.attributes));
      expect(sorted(await namesIn(here, 'Slots'))).toEqual(sorted(tag.slots.map(({ name }) => name || '(default)')));
      expect(sorted(await namesIn(here, 'Custom properties'))).toEqual(names(tag.cssProperties));
      expect(sorted(await namesIn(here, 'Parts'))).toEqual(names(tag.parts));
      expect(sorted(await namesIn(here, 'States'))).toEqual(names(tag.states));
      expect(sorted(await namesIn(here, 'Events'))).toEqual(names(tag.events));
      const methods = await namesIn(here, 'Methods');
      expect(methods).toEqual(expect.arrayContaining(names(tag.methods)));
      const shown = [
        ...(await namesIn(here, 'Attributes', 'data-property')),
        ...(await namesIn(here, 'Properties')),
        ...(await namesIn(here, 'Read-only properties')),
        ...methods,
      ];
      expect(shown).toEqual(expect.arrayContaining(names(tag.properties)));
    }
  });

  test('simulates a viewer without a server, and lists its events and states', async ({ page, playground }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/') || request.url().includes('/ws')) calls.push(request.url());
    });
    await page.goto(playground.origin);
    const here = playgroundOf(page, VIEWER);
    await expectMovingPicture(page);
    await openAll(page);
    await expect(control(here.locator('.group'), 'live')).toContainText('now');
    await expect(here.locator('.log')).toContainText('stream-live streamName: "keynote"');
    await here.getByRole('button', { name: 'The connection breaks' }).click();
    await expect(page.locator(VIEWER).getByText('Connection lost')).toBeVisible();
    await here.getByRole('button', { name: 'The connection returns' }).click();
    await expect.poll(() => phaseOf(page, VIEWER)).toBe('live');
    await here.getByRole('button', { name: 'The broadcaster does not come back' }).click();
    await expect(page.locator(VIEWER).getByText('The broadcast stopped')).toBeVisible();
    await here.getByLabel('Scenario').selectOption('rejected/token_expired');
    await expect(page.locator(VIEWER).getByText('Your access has expired')).toBeVisible();
    await expect(here.locator('.log')).toContainText('stream-rejected reason: "token_expired"');
    expect(calls).toEqual([]);
  });

  test('simulates a broadcaster without a camera', async ({ page, playground }) => {
    await page.goto(playground.origin);
    const here = playgroundOf(page, BROADCASTER);
    const tag = page.locator(BROADCASTER);
    await here.getByLabel('Camera and microphone').selectOption('capture_denied');
    await tag.getByRole('button', { name: 'Allow camera' }).click();
    await expect(tag.getByText('Camera and microphone are blocked')).toBeVisible();
    await here.getByLabel('Camera and microphone').selectOption('allowed');
    await tag.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => phaseOf(page, BROADCASTER)).toBe('live');
    await here.getByRole('button', { name: 'The owner stops it' }).click();
    await expect(tag.getByText('This broadcast was stopped')).toBeVisible();
  });

  test('shows the code for the changed settings, and copies it', async ({ page, playground, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(playground.origin);
    await openAll(page);
    const here = playgroundOf(page, VIEWER);
    const code = here.locator('pre');
    await control(here, 'poster').getByRole('textbox').fill('/hall.jpg');
    await control(here, 'poster').getByRole('textbox').blur();
    await control(here, 'waiting').getByRole('textbox').first().fill('Doors open at eight');
    const radius = control(here, '--stream-radius').getByRole('textbox');
    await radius.fill('24px');
    // Text that is being typed stays when the code is rendered again.
    const counted = control(here, 'timeupdate');
    const before = await counted.textContent();
    await expect.poll(() => counted.textContent()).not.toBe(before);
    await expect(radius).toHaveValue('24px');
    await radius.blur();
    await control(here, 'live-badge').getByRole('button').click();
    await control(here, 'stream-live').getByRole('button').click();
    await expect(code).toContainText('poster="/hall.jpg"');
    await expect(code).toContainText('<p slot="waiting">Doors open at eight</p>');
    await expect(code).toContainText('--stream-radius: 24px;');
    await expect(code).toContainText('stream-viewer::part(live-badge)');
    await expect(code).toContainText("viewer.addEventListener('stream-live'");
    await expect(code).not.toContainText('simulated');
    const tag = page.locator(VIEWER);
    await expect(tag).toHaveCSS('border-radius', '24px');
    await expect(tag.locator('p')).toHaveText('Doors open at eight');
    await expect(tag.locator('[part~=live-badge]')).toHaveCSS('outline-style', 'dashed');
    await here.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());
    await here.getByRole('button', { name: 'Undo all' }).click();
    await expect(code).not.toContainText('poster');
    await expect(tag).toHaveCSS('border-radius', '0px');
  });

  test('switches the language, and calls methods of the tag', async ({ page, playground }) => {
    await page.goto(playground.origin);
    await openAll(page);
    const here = playgroundOf(page, VIEWER);
    await page.getByLabel('Language').selectOption('de');
    await expect.poll(() => page.locator(VIEWER).getAttribute('lang')).toBe('de');
    await here.getByRole('button', { name: 'pause()', exact: true }).click();
    await expect(page.locator(VIEWER).getByRole('button', { name: 'Zurück zu live' })).toBeVisible();
    await expect(here.locator('pre')).toContainText('viewer.pause();');
  });

  test.describe('without animations', () => {
    // The contrast of controls that fade out is not that of any state.
    test.use({ contextOptions: { reducedMotion: 'reduce' } });

    test('is accessible in both schemes, and no wider than the window, also on a phone', async ({
      page,
      playground,
    }) => {
      await page.goto(playground.origin);
      await expectMovingPicture(page);
      await openAll(page);
      // axe reads colours for some seconds: controls that hide meanwhile would have none.
      await page.locator(VIEWER).evaluate((viewer) => viewer.toggleAttribute('noautohide', true));
      expect(await faultsInBothSchemes(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([await widthFaults(page), await accessibilityFaults(page, 'html', [...COLOURS, ...SIZES])]).toEqual([
        [],
        [],
      ]);
    });
  });

  test('shows a real stream of a real server', async ({ page, playground, server, tokens, streamName }) => {
    const token = await tokens.publish(streamName);
    await page.goto(playground.origin);
    await page.getByText('My server').click();
    for (const [tag, name, value] of [
      [BROADCASTER, 'token', token],
      [BROADCASTER, 'stream-name', streamName],
      [VIEWER, 'stream-name', streamName],
    ] as const) {
      const field = control(playgroundOf(page, tag), name).getByRole('textbox');
      await field.fill(value);
      await field.blur();
    }
    await page.locator(BROADCASTER).getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => phaseOf(page, BROADCASTER)).toBe('live');
    await mediaFlows({ origin: server.origin, streamName });
    await playgroundOf(page, VIEWER).getByRole('button', { name: 'Restart' }).click();
    await expect.poll(() => phaseOf(page, VIEWER)).toBe('live');
    await expectMovingPicture(page);
  });
});
