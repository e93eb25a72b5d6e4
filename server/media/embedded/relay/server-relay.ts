import type { RouterHandle } from '../stream/router-registry.js';
import type { SharedUdpSocket } from '../transport/webrtc-transport.js';
import { PeerLink } from './peer-link.js';
import { StreamRelay } from './stream-relay.js';

export interface ServerRelayOptions {
  readonly socket: SharedUdpSocket;
  /** See `PeerLink.answer`. */
  readonly candidates: (gathered: readonly string[]) => readonly string[];
  /** The link broke. Never after `close()`. */
  readonly onClosed: () => void;
}

/** Sends a stream from its home to another server. It lives until `close()`, or until the link breaks. */
export class ServerRelay {
  readonly answer: string;
  readonly #close: () => void;

  /**
   * @param offer of the other server
   * @param handle is released at the end
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
   */
  static async open(
    offer: string,
    handle: RouterHandle,
    { socket, candidates, onClosed }: ServerRelayOptions,
  ): Promise<ServerRelay> {
    let relay: StreamRelay | undefined;
    let isClosed = false;
    const close = (): void => {
      if (isClosed) return;
      isClosed = true;
      // It releases the handle.
      if (relay) relay.close();
      else handle.release();
    };
    try {
      const { link, answer } = await PeerLink.answer(offer, socket, candidates, {
        onOpen: (opened) => (relay = new StreamRelay(opened, handle, { isToServer: true })),
        onMessage: (message) => relay?.onMessage(message),
        // The other server has nothing to send.
        onPacket() {},
        onDrain: () => relay?.onDrain(),
        onClosed: () => {
          close();
          onClosed();
        },
      });
      return new ServerRelay(answer, () => {
        link.close();
        close();
      });
    } catch (error) {
      close();
      throw error;
    }
  }

  private constructor(answer: string, close: () => void) {
    this.answer = answer;
    this.#close = close;
  }

  close(): void {
    this.#close();
  }
}
