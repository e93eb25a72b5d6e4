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
  StreamRejectedEvent,
  StreamScreenChangeEvent,
  StreamSourcesChangeEvent,
  StreamViewerCountEvent,
  StreamWaitingEvent,
} from './elements/events.js';
export type { DeviceStateName } from './elements/broadcaster/devices/device-state.js';
export { StreamBroadcasterElement } from './elements/broadcaster/stream-broadcaster-element.js';
export { StreamViewerElement } from './elements/viewer/stream-viewer-element.js';
export type { RefusalCode } from './client/errors.js';
export type { TokenContext, TokenProvider } from './client/authorization/token-provider.js';
export { registerMessages } from './elements/i18n/languages.js';
export type { CountedMessage, TitledMessage, Messages } from './elements/i18n/messages.js';
