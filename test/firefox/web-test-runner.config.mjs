import inChromium from '../../web-test-runner.config.mjs';
import { firefoxLauncher } from './firefox-launcher.ts';

/** The tests of elements again, in Firefox. */
export default { ...inChromium, browsers: [firefoxLauncher()] };
