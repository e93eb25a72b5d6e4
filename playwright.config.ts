import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';

/** Tests that run beside others: no result depends on how fast the machine is. */
const PAGES = [
  'api-page',
  'backend-example',
  'broadcaster-page',
  'embed',
  'first-frame',
  'integrity',
  'languages',
  'playground',
  'refusals',
  'states',
  'strict-policy',
  'two-versions',
].map((name) => `**/${name}.spec.ts`);

/** What the end-to-end tests, the framework tests and the Firefox tests have in common. */
export const settings: PlaywrightTestConfig = {
  // Media is timed work. Two browsers at once on two cores would test the machine.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    permissions: ['camera', 'microphone'],
    launchOptions: {
      ...executable(),
      args: [...browserArguments, '--autoplay-policy=document-user-activation-required'],
    },
    screenshot: 'only-on-failure',
  },
};

/** The built server in a process of its own, a browser with its fake camera, and real media between them. */
export default defineConfig({
  ...settings,
  testDir: 'test/e2e',
  projects: [
    // `npm test` gives these several workers.
    { name: 'pages', testMatch: PAGES, fullyParallel: true },
    { name: 'media', testIgnore: PAGES },
  ],
  outputDir: 'test-results',
});

function executable() {
  const executablePath = findBrowser();
  return executablePath ? { executablePath } : {};
}
