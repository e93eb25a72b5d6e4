import './define.js';
import { Broadcaster } from './client/broadcaster/broadcaster.js';
import { Viewer } from './client/viewer/viewer.js';
import { suggestDefaultEndpoint } from './elements/default-endpoint.js';
import { provideBroadcaster } from './elements/broadcaster/live/lazy-broadcaster.js';
import { provideViewer } from './elements/viewer/lazy-viewer.js';

provideBroadcaster(Broadcaster);
provideViewer(Viewer);

// A server serves this bundle, so the URL of the bundle has the endpoint.
if (import.meta.url.startsWith('http')) suggestDefaultEndpoint(new URL(import.meta.url).origin);

export * from './elements.js';
export * from './frame.js';
export * from './index.js';
