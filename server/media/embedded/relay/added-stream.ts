import type { RouterHandle } from '../stream/router-registry.js';
import { AddedSource, type FedPacket } from '../producer/fed-source.js';
import type { IncomingRole, RelayLink } from './relay-link.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayHost } from './relay-host.js';

/** Receives a source that the server adds to a stream. It lives as long as the connection. */
export class AddedStream implements IncomingRole {
  readonly #host: RelayHost;
  readonly #handle: RouterHandle;
  /** Undefined: it was refused. */
  readonly #source: AddedSource | undefined;

  constructor(connection: RelayLink, { stream, id, tracks }: Extract<RelayMessage, { type: 'add' }>, host: RelayHost) {
    this.#host = host;
    this.#handle = host.acquireRouter(stream);
    const { router } = this.#handle;
    if (router.has(id)) {
      connection.send({ type: 'refused', code: 'stream_in_use', message: 'the source has a publisher already' });
      return;
    }
    this.#source = new AddedSource({
      id,
      tracks,
      events: router.sourceEvents,
      onKeyframeRequest: (encoding, urgency) => connection.send({ type: 'keyframe', source: 0, encoding, urgency }),
    });
    router.addSource(this.#source);
    connection.send({ type: 'added' });
  }

  onMessage(message: RelayMessage): void {
    if (message.type === 'clock') this.#source?.onSenderReport(message.encoding, message.report, performance.now());
  }

  onPacket(_source: number, encoding: number, packet: FedPacket): void {
    const now = this.#host.onPacket();
    if (now < this.#host.publishingDeadline.at) this.#source?.deliver(encoding, packet, now);
  }

  onDrain(): void {}

  close(): void {
    if (this.#source) this.#handle.router.removeSource(this.#source, performance.now());
    this.#handle.release();
  }
}
