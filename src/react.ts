'use client';
/** The tags as components of React 19, which also register the tags; and the types of the plain tags in JSX. */
export type { TokenContext, TokenProvider } from './client/authorization/token-provider.js';
export type { VideoCodec } from './client/broadcaster/send-encodings.js';
export type { RefusalCode } from './client/errors.js';
export type { Messages } from './elements/i18n/messages.js';
export type { PictureHeight } from './elements/picture-height.js';
export type { VideoRendition, VideoRenditionList } from './elements/viewer/playback/video-renditions.js';
export { StreamBroadcaster, type StreamBroadcasterProps } from './react/stream-broadcaster.js';
export { StreamViewer, type StreamViewerProps } from './react/stream-viewer.js';
