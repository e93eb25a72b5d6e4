export type { ConnectionOptions } from './client/authorization/director.js';
export type { TokenContext, TokenProvider } from './client/authorization/token-provider.js';
export { Broadcaster, type BroadcasterOptions, type ResumeStore } from './client/broadcaster/broadcaster.js';
export type { BroadcasterRecording } from './client/broadcaster/broadcaster-recording.js';
export type { RecordingFaultCode, RecordingRefusalCode } from './wire/recording-fault.js';
export type { BroadcasterPhase, LiveBroadcast } from './client/broadcaster/broadcaster-phase.js';
export {
  CaptureError,
  captureAllowed,
  listDevices,
  openCapture,
  openScreen,
  openTrack,
  type CaptureConstraints,
  type CaptureDevices,
  type CaptureOptions,
} from './client/broadcaster/capture.js';
export type { VideoCodec } from './client/broadcaster/send-encodings.js';
export {
  RejectedError,
  StreamError,
  UnreachableError,
  type CaptureErrorCode,
  type RefusalCode,
  type ServerRefusalCode,
  type StreamErrorCode,
} from './client/errors.js';
export type { PhaseChangeEvent } from './client/phase.js';
export type { LayerChoice, VideoLayer } from './client/viewer/layers.js';
export type { StreamSource, TrackKind } from './client/viewer/sources.js';
export { Viewer, type ViewerOptions } from './client/viewer/viewer.js';
export type { ViewerPhase } from './client/viewer/viewer-phase.js';
export type { RuleRefusalCode } from './wire/director/refusal-code.js';
export type { StopCode } from './wire/websocket/stop-code.js';
