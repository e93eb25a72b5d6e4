import { defineConfig } from '@playwright/test';
import { settings } from '../../playwright.config.ts';

/** Firefox at one end, and Chromium or Firefox at the other. */
export default defineConfig({
  ...settings,
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/firefox',
});
