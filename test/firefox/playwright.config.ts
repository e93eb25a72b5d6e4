import { defineConfig } from '@playwright/test';
import root from '../../playwright.config.ts';

/** Firefox at one end, as the end-to-end tests are run. */
export default defineConfig({
  ...root,
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/firefox',
});
