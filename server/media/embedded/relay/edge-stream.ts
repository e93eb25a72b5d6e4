import { MediaError } from '../../engine/media-error.js';
import type { RouterHandle } from '../stream/router-registry.js';
import type { SharedUdpSocket } from '../transport/webrtc-transport.js';
import { PeerLink } from './peer-link.js';
import type { RelayHost } from './relay-host.js';
import { RelayedSources } from './relayed-sources.js';

/**
 * A stream that another server has: receives its sources from there, so that this worker is the home of the stream on
 * this server. It lives until `close()`, or until the link breaks.
 */
export class EdgeStream {
  readonly #handle: RouterHandle;
  readonly #sources: RelayedSources;
  readonly #onClosed: () => void;
  #link: PeerLink | undefined;
  #closed = false;

  /**
   * @param exchange passes an offer to the other server, and returns the answer
   * @param onClosed the link broke. Never after `close()`
   * @throws {MediaError} `engine_unavailable` @throws what `exchange` does
   */
  static async connect(
    stream: string,
    exchange: (offer: string) => Promise<string>,
    { socket, host, onClosed }: { socket: SharedUdpSocket; host: RelayHost; onClosed: () => void },
  ): Promise<EdgeStream> {
    const edge = new EdgeStream(host.acquireRouter(stream), onClosed);
    try {
      await edge.#connect(exchange, socket, host);
      return edge;
    } catch (error) {
      edge.close();
      throw error;
    }
  }

  private constructor(handle: RouterHandle, onClosed: () => void) {
    this.#handle = handle;
    this.#sources = new RelayedSources({ router: handle.router, isHome: true });
    this.#onClosed = onClosed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#link?.close();
    this.#sources.endAll();
    this.#handle.release();
  }

  async #connect(
    exchange: (offer: string) => Promise<string>,
    socket: SharedUdpSocket,
    host: RelayHost,
  ): Promise<void> {
    const current = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<never>();
    const { link, offer } = await PeerLink.offer(socket, {
      onOpen() {},
      onMessage: (message) => {
        if (message.type === 'current') current.resolve();
        else this.#sources.onMessage(link, message);
      },
      onPacket: (source, encoding, packet) => {
        const now = host.onPacket();
        if (now < host.publishingDeadline.at) this.#sources.onPacket(source, encoding, packet, now);
      },
      onDrain() {},
      onClosed: () => {
        broken.reject(new MediaError('engine_unavailable', 'the link to another server broke'));
        if (this.#closed) return;
        this.close();
        this.#onClosed();
      },
    });
    this.#link = link;
    broken.promise.catch(() => {});
    // The other server may never answer: the link gives up before.
    link.accept(await Promise.race([exchange(offer), broken.promise]));
    await Promise.race([current.promise, broken.promise]);
  }
}
