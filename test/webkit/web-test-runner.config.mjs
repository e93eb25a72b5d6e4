import { fileURLToPath } from 'node:url';
import { elementSteps } from '../../scripts/test-run/element-reporter.ts';
import inChromium from '../../web-test-runner.config.mjs';
import { bundledTests } from '../support/bundled-tests.ts';
import { webkitLauncher } from './webkit-launcher.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tests of the elements, in WebKitGTK, where a stand-in takes the place of WebRTC. */
export default {
  ...inChromium,
  browsers: [webkitLauncher()],
  concurrency: 2,
  plugins: [elementSteps(), bundledTests(root, 'test/{**/*.browser.test,webkit/peer-stand-in}.ts')],
  testRunnerHtml: (testFramework) => `<!doctype html>
    <html>
      <body>
        <script type="module" src="/test/webkit/peer-stand-in.ts"></script>
        <script type="module" src="${testFramework}"></script>
      </body>
    </html>`,
};
