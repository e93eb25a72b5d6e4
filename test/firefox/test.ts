import { launch, type Browser } from 'puppeteer-core';
import { ALLOWS, firefoxLaunchOptions } from '../../scripts/find-firefox.ts';
import { test as base } from '../e2e/support/test.ts';

/** As of the end-to-end tests, with a Firefox beside the Chromium. */
export const test = base.extend<{}, { firefox: Browser }>({
  firefox: [
    async ({}, use) => {
      const firefox = await launch(firefoxLaunchOptions(ALLOWS));
      await use(firefox);
      await firefox.close();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
