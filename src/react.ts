'use client';
/** The tags as components of React 19, which also register the tags; and the types of the plain tags in JSX. */
export type { RefusalCode } from './client/errors.js';
export { StreamBroadcaster, type StreamBroadcasterProps } from './react/stream-broadcaster.js';
export { StreamViewer, type StreamViewerProps } from './react/stream-viewer.js';
