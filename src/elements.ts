export { setDefaultEndpoint } from './elements/default-endpoint.js';
export {
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  ViewerCountEvent,
} from './elements/events.js';
export { StreamBroadcasterElement } from './elements/stream-broadcaster-element.js';
export { StreamViewerElement } from './elements/stream-viewer-element.js';
