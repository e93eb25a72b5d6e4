export type { Access } from './client/authorize.js';
export { Broadcaster, type BroadcasterOptions, type ResumeStore, type VideoCodec } from './client/broadcaster.js';
export type { BroadcasterPhase, OnAir } from './client/broadcaster-phase.js';
export {
  CaptureError,
  captureAllowed,
  listDevices,
  openCapture,
  openScreen,
  openTrack,
  type CaptureChoice,
  type CaptureDevices,
  type CaptureWishes,
} from './client/capture.js';
export {
  RejectedError,
  StreamError,
  UnreachableError,
  type CaptureErrorCode,
  type RefusalReason,
  type StreamErrorCode,
} from './client/errors.js';
export type { LayerChoice, VideoLayer } from './client/layers.js';
export type { StreamSource, TrackKind } from './client/sources.js';
export type { TokenContext, TokenProvider } from './client/provide-token.js';
export { Viewer, type ViewerOptions } from './client/viewer.js';
export type { ViewerPhase } from './client/viewer-phase.js';
export type { Reason } from './wire/reason.js';
export type { StopReason } from './wire/stop-reason.js';
