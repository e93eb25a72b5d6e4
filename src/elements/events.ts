import type { CaptureError } from '../client/broadcaster/capture.js';
import type { RefusalCode, StreamError } from '../client/errors.js';

const SEEN_BY_THE_PAGE = { bubbles: true, composed: true };

/** The stream began: there is something to see, or, at the broadcaster, it goes out. */
export class StreamLiveEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-live', SEEN_BY_THE_PAGE);
  }
}

/** The broadcast stopped. */
export class StreamEndedEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-ended', SEEN_BY_THE_PAGE);
  }
}

/** The viewer is connected and nothing is broadcast yet, or no longer. */
export class StreamWaitingEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-waiting', SEEN_BY_THE_PAGE);
  }
}

/** The service said no, and is not asked again. `reason` is its stable word, `message` its sentence. */
export class StreamRejectedEvent extends Event {
  /** @param retryable whether the same request can succeed later */
  constructor(
    readonly reason: RefusalCode,
    readonly message: string,
    readonly retryable = false,
  ) {
    super('stream-rejected', SEEN_BY_THE_PAGE);
  }
}

/** Something broke. It is tried again, or given up: see `retrying`. */
export class StreamErrorEvent extends Event {
  /** @param retryInMs when the next try begins, in milliseconds. Undefined: there is none. */
  constructor(
    readonly error: StreamError,
    readonly retryInMs?: number,
  ) {
    super('stream-error', SEEN_BY_THE_PAGE);
  }

  /** Whether it is tried again by itself. */
  get retrying(): boolean {
    return this.retryInMs !== undefined;
  }
}

/** Camera, microphone or screen could not be opened. The tag says why, and this tells the page. */
export class StreamCaptureErrorEvent extends Event {
  constructor(readonly error: CaptureError) {
    super('stream-capture-error', SEEN_BY_THE_PAGE);
  }
}

/** Another number of people watches. */
export class StreamViewerCountEvent extends Event {
  constructor(readonly viewers: number) {
    super('stream-viewer-count', SEEN_BY_THE_PAGE);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'stream-live': StreamLiveEvent;
    'stream-ended': StreamEndedEvent;
    'stream-waiting': StreamWaitingEvent;
    'stream-rejected': StreamRejectedEvent;
    'stream-error': StreamErrorEvent;
    'stream-capture-error': StreamCaptureErrorEvent;
    'stream-viewer-count': StreamViewerCountEvent;
  }
}
