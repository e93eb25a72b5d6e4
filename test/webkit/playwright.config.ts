import { defineConfig } from '@playwright/test';
import { settings } from '../../playwright.config.ts';

/** The pages of the server and the playground in WebKitGTK. */
export default defineConfig({
  ...settings,
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/webkit',
});
