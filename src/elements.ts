export { setDefaultEndpoint } from './elements/default-endpoint.js';
export {
  StreamCameraChangeEvent,
  StreamCaptureErrorEvent,
  StreamDevicesChangeEvent,
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLayersChangeEvent,
  StreamLiveEvent,
  StreamMicrophoneChangeEvent,
  StreamPhaseChangeEvent,
  StreamRecordingChangeEvent,
  StreamRejectedEvent,
  StreamScreenChangeEvent,
  StreamSettingsChangeEvent,
  StreamSourcesChangeEvent,
  StreamViewerCountEvent,
  StreamInterruptedEvent,
  StreamWaitingEvent,
} from './elements/events.js';
export type { BroadcasterSettings } from './elements/broadcaster/devices/settings.js';
export type { DeviceStateName } from './elements/broadcaster/devices/device-state.js';
export { StreamBroadcasterElement } from './elements/broadcaster/stream-broadcaster-element.js';
export { StreamViewerElement } from './elements/viewer/stream-viewer-element.js';
export type { PictureHeight } from './elements/picture-height.js';
export type { VideoRendition, VideoRenditionList } from './elements/viewer/playback/video-renditions.js';
export type { TokenContext, TokenProvider } from './client/authorization/token-provider.js';
export type { BroadcasterRecording } from './client/broadcaster/broadcaster-recording.js';
export type { RecordingFaultCode, RecordingRefusalCode } from './wire/recording-fault.js';
export type { BroadcasterPhase, LiveBroadcast } from './client/broadcaster/broadcaster-phase.js';
export type { CaptureError } from './client/broadcaster/capture.js';
export type { VideoCodec } from './client/broadcaster/send-encodings.js';
export type { CaptureErrorCode, RefusalCode, StreamError, StreamErrorCode } from './client/errors.js';
export type { VideoLayer } from './client/viewer/layers.js';
export type { StreamSource } from './client/viewer/sources.js';
export type { ViewerPhase } from './client/viewer/viewer-phase.js';
export { registerMessages } from './elements/i18n/languages.js';
export type { CountedMessage, TitledMessage, Messages } from './elements/i18n/messages.js';
