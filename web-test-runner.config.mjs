import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';
import { elementReporter } from './scripts/test-run/element-reporter.ts';
import { touchPlugin } from './test/support/touch-plugin.ts';

const executablePath = findBrowser();
if (!executablePath) throw new Error('No browser found. Run: node scripts/tools.ts chromium');

/** Runs test/**\/*.browser.test.ts in Chromium: tests that need a browser and no server. */
export default {
  files: 'test/**/*.browser.test.ts',
  nodeResolve: { exportConditions: ['browser', 'development'] },
  hostname: '127.0.0.1',
  // The tests wait more than they compute.
  concurrency: 3,
  // Without a tsconfig, decorators are a syntax error. The plugin does not follow `extends`.
  plugins: [
    touchPlugin(),
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('tsconfig.base.json', import.meta.url)),
    }),
  ],
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
