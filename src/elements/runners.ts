/**
 * What the tags run, as they fetch it: in one piece, as most of it is the same for both. Where a page has one of the
 * tags, a bundler leaves the other's runner out.
 */
export { Broadcaster } from '../client/broadcaster/broadcaster.js';
export { Viewer } from '../client/viewer/viewer.js';
