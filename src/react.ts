'use client';
/** The tags as components of React 19, each with its registration; and what JSX knows of the plain tags. */
export { StreamBroadcaster, type StreamBroadcasterProps } from './react/stream-broadcaster.js';
export { StreamViewer, type StreamViewerProps } from './react/stream-viewer.js';
