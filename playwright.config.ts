import { defineConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';

/** End to end: the built server in a process of its own, a real browser with its fake camera, real media between them. */
export default defineConfig({
  testDir: 'test/e2e',
  // Media is timed work: two browsers at once on two cores would test the machine.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    permissions: ['camera', 'microphone'],
    launchOptions: {
      ...executable(),
      args: [
        ...browserArguments,
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--autoplay-policy=document-user-activation-required',
      ],
    },
    screenshot: 'only-on-failure',
  },
  outputDir: 'test-results',
});

function executable() {
  const executablePath = findBrowser();
  return executablePath ? { executablePath } : {};
}
