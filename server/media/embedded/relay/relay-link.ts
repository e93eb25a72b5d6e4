import type { FedPacket } from '../producer/fed-source.js';
import type { RelayFrameListener, RelayMessage } from './relay-frames.js';

/** One end of a connection over which a stream is relayed: to another worker of this server, or to another server. */
export interface RelayLink {
  send(message: RelayMessage): void;
  /**
   * @returns false if the packet was not sent, because what was sent before still waits; `onDrain` is called when it does
   *   not any more
   */
  sendPacket(source: number, encoding: number, packet: FedPacket, options: SendPacketOptions): boolean;
  close(): void;
}

export interface SendPacketOptions {
  /** The packet is not added to others that have waited for longer. */
  readonly maxWaitMs: number;
  /** Others of its frame follow, and it may wait for them. */
  readonly moreFollow: boolean;
}

export interface RelayLinkListener extends RelayFrameListener {
  /** `sendPacket` can be called again after it returned false. */
  onDrain(): void;
  /** The connection broke, or the other end closed it. Called once, and never after `close()`. */
  onClosed(): void;
}

/** What a connection that another process opened is for, after its first message. */
export interface IncomingRole extends Omit<RelayLinkListener, 'onClosed'> {
  close(): void;
}
