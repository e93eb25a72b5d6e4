/**
 * What the tags load after their first render, in one module, because most of it is the same for both. A bundler leaves
 * out what a page with one of the tags does not need.
 */
export { Broadcaster } from '../client/broadcaster/broadcaster.js';
export { Viewer } from '../client/viewer/viewer.js';
export { Meters } from './broadcaster/meters.js';
