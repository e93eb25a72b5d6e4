/**
 * The code that the tags load after their first render. It is one module, because both tags share most of it. A bundler
 * removes the exports that a page with only one tag does not use.
 */
export { Broadcaster } from '../client/broadcaster/broadcaster.js';
export { Viewer } from '../client/viewer/viewer.js';
export { Meters } from './broadcaster/meters.js';
export { Statistics } from './viewer/controls/statistics.js';
