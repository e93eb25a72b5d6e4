import { defineConfig } from '@playwright/test';
import root from '../../playwright.config.ts';

/** The built apps of demo/frameworks, as the end-to-end tests are run. */
export default defineConfig({
  ...root,
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/frameworks',
});
