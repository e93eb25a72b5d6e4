import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';

/** What the end-to-end tests, the framework tests and the Firefox tests have in common. */
export const settings: PlaywrightTestConfig = {
  // Media is timed work. Two browsers at once on two cores would test the machine.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  // A test has several steps, and each may take as long as `expect.timeout`. A shared machine can be very slow.
  timeout: 240_000,
  expect: { timeout: 45_000 },
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
    // No result depends on how fast the machine is: several workers are possible.
    { name: 'pages', testDir: 'test/e2e/pages', outputDir: 'test-results/pages', fullyParallel: true },
    { name: 'media', testDir: 'test/e2e/media', outputDir: 'test-results/media' },
  ],
});

function executable() {
  const executablePath = findBrowser();
  return executablePath ? { executablePath } : {};
}
