import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';
import { touchPlugin } from './test/support/touch-plugin.ts';

const executablePath = findBrowser();
if (!executablePath) throw new Error('No browser found. Run: node scripts/find-browser.ts');

/** Elements and everything else that needs a browser but no server: test/**\/*.browser.test.ts in Chromium. */
export default {
  files: 'test/**/*.browser.test.ts',
  nodeResolve: { exportConditions: ['browser', 'development'] },
  hostname: '127.0.0.1',
  concurrency: 2,
  // Without a tsconfig the decorators are a syntax error; the plugin does not follow its `extends`.
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
  // A machine with other work to do takes its time to open a page.
  browserStartTimeout: 120_000,
  testFramework: { config: { timeout: 15_000 } },
  // What a tag says of a refusal is what many tests bring about.
  filterBrowserLogs: ({ args }) => !/^Lit is in dev mode|^<stream-\w+> on .* is refused: /.test(String(args[0])),
};
