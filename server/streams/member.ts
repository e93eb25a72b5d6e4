import type { SourceNotice } from '../../src/wire/management/live-stream.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { VideoCodec } from '../media/engine/media-track.js';
import type { StreamEvent } from './stream-event.js';

/** A session on a stream, as the stream sees it. */
export interface Member {
  /** 32 hex digits. */
  readonly id: string;
  /** Sends an event to the client. Does nothing if the client is gone or did not select the event. Never throws. */
  send(event: StreamEvent): void;
  /** Ends the session and sends the code to the client. */
  stop(code: StopCode): void;
}

export interface Viewer extends Member {
  readonly role: 'Subscribe';
  /** Whether media reaches the viewer now. */
  readonly reachable: boolean;
}

export interface Publisher extends Member {
  readonly role: 'Publish';
  /** The same client shows this key to take its source back. */
  readonly sessionKey: string;
  /** The publish token that admitted the publisher. */
  readonly tokenId: number;
  /** Of the picture, as the client asked for it, even if it sends none now. Undefined: the client leaves it to the offer. */
  readonly codec: VideoCodec | undefined;
  /** The publisher was lost and its source is kept. */
  readonly suspended: boolean;
  /** What the server leaves out or changes of its media now. */
  readonly notices: readonly SourceNotice[];
  /** How much arrived of its media in the last second, in bit/s. */
  bitrateMeasured(bitrate: number): void;
  /** Whether the server had too much to do for its media in the last seconds. Called every second. */
  loadMeasured(isOverloaded: boolean): void;
  /** The lease of the source ended before the client resumed. */
  leaseExpired(): void;
}
