import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';
import { elementReporter, elementSteps } from './scripts/test-run/element-reporter.ts';
import { bundledTests } from './test/support/bundled-tests.ts';
import { touchPlugin } from './test/support/touch-plugin.ts';

const executablePath = findBrowser();
if (!executablePath) throw new Error('No browser found. Run: node scripts/tools.ts chromium');

const root = fileURLToPath(new URL('.', import.meta.url));
const FILES = 'test/**/*.browser.test.ts';

/** Runs test/**\/*.browser.test.ts in Chromium: tests that need a browser and no server. */
export default {
  files: FILES,
  hostname: '127.0.0.1',
  // The tests wait more than they compute.
  concurrency: 3,
  plugins: [touchPlugin(), elementSteps(), bundledTests(root, FILES)],
  browsers: [
    playwrightLauncher({
      launchOptions: {
        executablePath,
        args: [...browserArguments, '--autoplay-policy=document-user-activation-required'],
      },
    }),
  ],
  reporters: [defaultReporter(), elementReporter()],
  // A busy machine is slow to open a page, and to run a file of many tests.
  browserStartTimeout: 120_000,
  testsFinishTimeout: 300_000,
  // Longer than two steps of a test wait.
  testFramework: { config: { timeout: 30_000 } },
  // Many tests cause a refusal, which the tag logs.
  filterBrowserLogs: ({ args }) => !/^Lit is in dev mode|^<stream-\w+> on .* is refused: /.test(String(args[0])),
};
