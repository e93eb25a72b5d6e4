/**
 * The code that the tags load after their first render. It is one module, because both tags share most of it. A bundler
 * removes the exports that a page with only one tag does not use. What is loaded later, such as the settings, imports from
 * here what is also here, so that it is in no third file.
 */
export { Broadcaster } from '../client/broadcaster/broadcaster.js';
export { Viewer } from '../client/viewer/viewer.js';
export { inboundStatsBetween, readInboundSample } from '../client/viewer/inbound-stats.js';
export { Meters } from './broadcaster/meters.js';
