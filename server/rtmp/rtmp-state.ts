import type { Handshake } from './handshake.js';
import type { RtmpFault } from './rtmp-fault.js';
import type { MediaMessage } from './rtmp-message.js';

/** Encoders need two round trips. */
export const HANDSHAKE_TIMEOUT_MS = 5_000;
/** From the handshake to `publish`: four more round trips. */
export const PUBLISH_TIMEOUT_MS = 10_000;
/** From `publish` to the decision, if the database does not answer. */
export const DECISION_TIMEOUT_MS = 10_000;
/** Encoders send sound all the time. A mobile network can be away for some seconds. */
export const MEDIA_TIMEOUT_MS = 15_000;
/** From the end of the stream to the end of the connection. GStreamer reports an error if the server closes first. */
export const CLOSE_TIMEOUT_MS = 5_000;

/** What an encoder sends after it was accepted, for `FlvMedia`. */
export interface RtmpMedia extends MediaMessage {
  readonly name: 'media';
}

/** What the command `connect` said. */
export interface RtmpConnect {
  readonly app: string;
  readonly tcUrl: string;
}

/** All deadlines are in ms of the caller's clock. */
export type RtmpState =
  | { readonly name: 'handshake'; readonly handshake: Handshake; readonly deadline: number }
  | { readonly name: 'connecting'; readonly deadline: number }
  | { readonly name: 'connected'; readonly connection: RtmpConnect; readonly deadline: number }
  | { readonly name: 'stream-created'; readonly connection: RtmpConnect; readonly deadline: number }
  /** Some encoders send media before they are accepted. It is held, and dropped if they are refused. */
  | {
      readonly name: 'awaiting-decision';
      readonly connection: RtmpConnect;
      readonly held: RtmpMedia[];
      readonly deadline: number;
    }
  | { readonly name: 'publishing'; readonly connection: RtmpConnect; readonly deadline: number }
  /** The encoder ended the stream. It closes the connection, or publishes again. */
  | { readonly name: 'unpublished'; readonly connection: RtmpConnect; readonly deadline: number }
  | { readonly name: 'closed' };

const TIMEOUTS: Readonly<Record<Exclude<RtmpState['name'], 'closed'>, RtmpFault>> = {
  handshake: { reason: 'handshake_timeout', message: 'The handshake took too long' },
  connecting: { reason: 'publish_timeout', message: 'No connect command came' },
  connected: { reason: 'publish_timeout', message: 'No createStream command came' },
  'stream-created': { reason: 'publish_timeout', message: 'No publish command came' },
  'awaiting-decision': { reason: 'decision_timeout', message: 'The server could not decide in time. Try again' },
  publishing: { reason: 'media_timeout', message: `No audio and no video came for ${MEDIA_TIMEOUT_MS / 1000} seconds` },
  unpublished: { reason: 'close_timeout', message: 'The encoder ended the stream and did not close the connection' },
};

/** What ends a connection in this state now. Undefined: it has time left. */
export function timeoutOf(state: RtmpState, now: number): RtmpFault | undefined {
  return state.name === 'closed' || now < state.deadline ? undefined : TIMEOUTS[state.name];
}
