import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FairPlaces } from '../../addresses/fair-places.js';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { contain } from '../../faults/contain.js';
import { reportFault } from '../../faults/fault.js';
import { ListenError } from '../../listen-error.js';
import type { Certificate } from '../../tls/certificate.js';
import { peerAddress, RtmpConnection, type RtmpDependencies } from './rtmp-connection.js';

export interface RtmpListenerOptions extends RtmpDependencies {
  /** Undefined: all addresses. */
  readonly host: string | undefined;
  readonly port: number;
  /** Undefined: no RTMPS. */
  readonly certificates: { readonly certificate: Certificate } | undefined;
}

/**
 * The most connections that do not publish. Each takes some 100 kB. With one more, the network that has the most loses
 * its oldest: an encoder publishes within a second, so peers that open many connections and send little do not keep
 * encoders out.
 */
const MOST_WAITING = 500;
/** The first byte of a TLS handshake (RFC 8446 section 5.1). RTMP begins with its version, 3. */
const TLS_HANDSHAKE = 22;
/** For the first byte. */
const FIRST_BYTE_WITHIN_MS = 5_000;

/** Takes the connections of encoders: RTMP, and RTMPS at the same port. */
export class RtmpListener {
  readonly #options: RtmpListenerOptions;
  readonly #server: Server;
  readonly #open = new Map<Socket, RtmpConnection | undefined>();
  readonly #waiting = new FairPlaces<Socket>(MOST_WAITING);
  #secure: { readonly certificate: Certificate; readonly context: SecureContext } | undefined;

  /** @throws {ListenError} */
  static async open(options: RtmpListenerOptions): Promise<RtmpListener> {
    const listener = new RtmpListener(options);
    listener.#server.listen(options.port, options.host);
    await once(listener.#server, 'listening').catch((cause: unknown) => {
      throw new ListenError('RTMP_PORT', options.port, cause);
    });
    // Such as EMFILE: the next connection may be accepted again.
    listener.#server.on('error', (error) => reportFault('ingest', error));
    return listener;
  }

  private constructor(options: RtmpListenerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#open.size;
  }

  /** Tells every encoder that the server stops. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const [socket, connection] of this.#open) {
      if (connection) connection.close();
      else socket.destroy();
    }
    await closed;
  }

  #accept(socket: Socket): void {
    const address = peerAddress(socket);
    this.#open.set(socket, undefined);
    this.#waiting.take(address, socket)?.destroy();
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#waiting.release(socket);
    });
    socket.setTimeout(FIRST_BYTE_WITHIN_MS, () => socket.destroy());
    socket.once(
      'readable',
      contain(
        'ingest',
        () => {
          const first: Buffer | null = socket.read(1);
          if (!first) return;
          socket.setTimeout(0);
          socket.unshift(first);
          const { certificates } = this.#options;
          const isSecure = first[0] === TLS_HANDSHAKE && certificates;
          const plain = isSecure ? this.#decrypted(socket, certificates.certificate) : socket;
          const onPublishing = (isPublishing: boolean): void => {
            if (isPublishing) this.#waiting.release(socket);
            else if (!socket.destroyed) this.#waiting.take(address, socket)?.destroy();
          };
          this.#open.set(socket, new RtmpConnection(plain, { ...this.#options, onPublishing }));
        },
        { onFault: () => socket.destroy() },
      ),
    );
  }

  #decrypted(socket: Socket, certificate: Certificate): Socket {
    if (this.#secure?.certificate !== certificate) {
      const { cert, key } = certificate;
      this.#secure = { certificate, context: createSecureContext({ cert, key, minVersion: 'TLSv1.2' }) };
    }
    const decrypted = new TLSSocket(socket, { isServer: true, secureContext: this.#secure.context });
    decrypted.on('close', () => socket.destroy());
    return decrypted;
  }
}
