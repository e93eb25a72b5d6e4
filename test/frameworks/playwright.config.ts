import { defineConfig } from '@playwright/test';
import { settings } from '../../playwright.config.ts';

/** The built applications of demo/frameworks, in Chromium. */
export default defineConfig({
  ...settings,
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/frameworks',
});
