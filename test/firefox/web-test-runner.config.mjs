import inChromium from '../../web-test-runner.config.mjs';
import { firefoxLauncher } from './firefox-launcher.ts';

/** The tests of the elements, in Firefox. */
export default { ...inChromium, browsers: [firefoxLauncher()] };
