export { setDefaultEndpoint } from './elements/default-endpoint.js';
export {
  CaptureErrorEvent,
  StreamEndedEvent,
  StreamErrorEvent,
  StreamLiveEvent,
  StreamRejectedEvent,
  StreamWaitingEvent,
  ViewerCountEvent,
} from './elements/events.js';
export { StreamBroadcasterElement } from './elements/broadcaster/stream-broadcaster-element.js';
export { StreamViewerElement } from './elements/viewer/stream-viewer-element.js';
export type { TokenContext, TokenProvider } from './client/provide-token.js';
export { registerWords } from './elements/words/languages.js';
export type { Counted, Sentence, Words } from './elements/words/words.js';
