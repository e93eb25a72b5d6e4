import { launch, type Browser } from 'puppeteer-core';
import { ALLOWS, firefoxLaunchOptions } from '../../scripts/find-firefox.ts';
import { test as base } from '../e2e/support/test.ts';
import { FirefoxPage } from './firefox-page.ts';

interface Fixtures {
  /** Goes live under the stream's name with these properties of the tag. Resolves when media flows. */
  broadcastInFirefox: (properties?: object) => Promise<FirefoxPage>;
  /** Opens a viewer of the stream. */
  watchInFirefox: (token?: string) => Promise<FirefoxPage>;
}

/** The fixtures of the end-to-end tests, and a Firefox. */
export const test = base.extend<Fixtures, { firefox: Browser }>({
  firefox: [
    async ({}, use) => {
      const firefox = await launch(firefoxLaunchOptions(ALLOWS));
      await use(firefox);
      await firefox.close();
    },
    { scope: 'worker' },
  ],
  broadcastInFirefox: async ({ firefox, server: { origin }, tokens, streamName }, use) =>
    lend(use, async (properties: object = {}) => {
      const address = { origin, streamName, token: await tokens.publish(streamName) };
      return FirefoxPage.broadcast(firefox, address, properties);
    }),
  watchInFirefox: async ({ firefox, server: { origin }, streamName }, use) =>
    lend(use, (token?: string) => FirefoxPage.watch(firefox, { origin, streamName, token })),
});

/** Closes the pages that the test opened. Firefox would keep them after the test. */
async function lend<Ask>(
  use: (open: (ask?: Ask) => Promise<FirefoxPage>) => Promise<void>,
  open: (ask?: Ask) => Promise<FirefoxPage>,
): Promise<void> {
  const opened: FirefoxPage[] = [];
  await use(async (ask) => {
    const page = await open(ask);
    opened.push(page);
    return page;
  });
  for (const page of opened) await page.close();
}

export { expect } from '@playwright/test';
