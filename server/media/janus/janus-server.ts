import type { JanusConnection } from './janus-connection.js';

/** One Janus. */
export interface JanusServer {
  readonly connection: JanusConnection;
  /** The address of an edge at which it receives RTP. Undefined: publishers connect to this Janus. */
  readonly rtpAddress: string | undefined;
}
