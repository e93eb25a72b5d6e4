import type { BroadcasterPhase } from '../client/broadcaster/broadcaster-phase.js';
import type { CaptureError } from '../client/broadcaster/capture.js';
import type { RefusalCode, StreamError } from '../client/errors.js';
import type { StreamSource } from '../client/viewer/sources.js';
import type { ViewerPhase } from '../client/viewer/viewer-phase.js';
import type { VideoLayer } from '../client/viewer/layers.js';
import type {
  StreamCameraChangeEvent,
  StreamDevicesChangeEvent,
  StreamMicrophoneChangeEvent,
  StreamScreenChangeEvent,
  StreamSettingsChangeEvent,
} from './broadcaster/devices/device-events.js';

export {
  StreamCameraChangeEvent,
  StreamDevicesChangeEvent,
  StreamMicrophoneChangeEvent,
  StreamScreenChangeEvent,
  StreamSettingsChangeEvent,
} from './broadcaster/devices/device-events.js';

const BUBBLING = { bubbles: true, composed: true };

/** The property `phase` has another value. This event precedes the events that say what the change means. */
export class StreamPhaseChangeEvent<Phase = ViewerPhase | BroadcasterPhase> extends Event {
  constructor(
    readonly previous: Phase,
    readonly current: Phase,
  ) {
    super('stream-phase-change', BUBBLING);
  }
}

/** The stream is live: a viewer receives it, a broadcaster sends it. */
export class StreamLiveEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-live', BUBBLING);
  }
}

/** The broadcast stopped. */
export class StreamEndedEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-ended', BUBBLING);
  }
}

/** The viewer is connected, and the stream is not live. */
export class StreamWaitingEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-waiting', BUBBLING);
  }
}

/** The server refused. The tag does not try again by itself. `reason` is the refusal code, `message` explains it. */
export class StreamRejectedEvent extends Event {
  /** @param retryable whether the same request can succeed later */
  constructor(
    readonly reason: RefusalCode,
    readonly message: string,
    readonly retryable = false,
  ) {
    super('stream-rejected', BUBBLING);
  }
}

/** Something failed. `retrying` says whether the tag tries again. */
export class StreamErrorEvent extends Event {
  /** @param retryInMs time until the next attempt, in milliseconds; undefined if there is none */
  constructor(
    readonly error: StreamError,
    readonly retryInMs?: number,
  ) {
    super('stream-error', BUBBLING);
  }

  /** Whether the tag tries again by itself. */
  get retrying(): boolean {
    return this.retryInMs !== undefined;
  }
}

/** Camera, microphone or screen could not be opened. The tag shows the reason too. */
export class StreamCaptureErrorEvent extends Event {
  constructor(readonly error: CaptureError) {
    super('stream-capture-error', BUBBLING);
  }
}

/** The number of viewers changed. */
export class StreamViewerCountEvent extends Event {
  constructor(readonly viewers: number) {
    super('stream-viewer-count', BUBBLING);
  }
}

/** The sources of the stream changed, or a source sends other kinds of tracks. */
export class StreamSourcesChangeEvent extends Event {
  constructor(readonly sources: readonly StreamSource[]) {
    super('stream-sources-change', BUBBLING);
  }
}

/** The layers of the video changed: their number, sizes or bitrates. Sent at most once a second. */
export class StreamLayersChangeEvent extends Event {
  constructor(readonly layers: readonly VideoLayer[]) {
    super('stream-layers-change', BUBBLING);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'stream-phase-change': StreamPhaseChangeEvent;
    'stream-live': StreamLiveEvent;
    'stream-ended': StreamEndedEvent;
    'stream-waiting': StreamWaitingEvent;
    'stream-rejected': StreamRejectedEvent;
    'stream-error': StreamErrorEvent;
    'stream-capture-error': StreamCaptureErrorEvent;
    'stream-viewer-count': StreamViewerCountEvent;
    'stream-sources-change': StreamSourcesChangeEvent;
    'stream-layers-change': StreamLayersChangeEvent;
    'stream-microphone-change': StreamMicrophoneChangeEvent;
    'stream-camera-change': StreamCameraChangeEvent;
    'stream-screen-change': StreamScreenChangeEvent;
    'stream-devices-change': StreamDevicesChangeEvent;
    'stream-settings-change': StreamSettingsChangeEvent;
  }
}
