import { MediaError } from '../../engine/media-error.js';
import type { RouterHandle } from '../stream/router-registry.js';
import { AddedSource, type FedPacket } from '../producer/fed-source.js';
import type { IncomingRole, RelayLink } from './relay-link.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayHost } from './relay-host.js';

/** Receives a source that the server adds to a stream. It lives as long as the connection. */
export class AddedStream implements IncomingRole {
  readonly #host: RelayHost;
  /** Undefined: it was refused. */
  readonly #added: { readonly source: AddedSource; readonly handle: RouterHandle } | undefined;

  constructor(connection: RelayLink, message: Extract<RelayMessage, { type: 'add' }>, host: RelayHost) {
    this.#host = host;
    try {
      this.#added = this.#add(connection, message);
      connection.send({ type: 'added' });
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      connection.send({ type: 'refused', code: error.code, message: error.message });
    }
  }

  onMessage(message: RelayMessage): void {
    if (message.type !== 'clock') return;
    this.#added?.source.onSenderReport(message.encoding, message.report, performance.now());
  }

  onPacket(_source: number, encoding: number, packet: FedPacket): void {
    const now = this.#host.onPacket();
    if (now < this.#host.publishingDeadline.at) this.#added?.source.deliver(encoding, packet, now);
  }

  onDrain(): void {}

  close(): void {
    if (!this.#added) return;
    const { source, handle } = this.#added;
    handle.router.removeSource(source, performance.now());
    handle.release();
  }

  /** @throws {MediaError} `stream_in_use`, `engine_unavailable` */
  #add(connection: RelayLink, { stream, id, tracks }: Extract<RelayMessage, { type: 'add' }>) {
    this.#host.mustTake(stream);
    const handle = this.#host.acquireRouter(stream);
    const { router } = handle;
    if (router.has(id)) {
      handle.release();
      throw new MediaError('stream_in_use', 'the source has a publisher already');
    }
    const source = new AddedSource({
      id,
      tracks,
      events: router.sourceEvents,
      onKeyframeRequest: (encoding, urgency) => connection.send({ type: 'keyframe', source: 0, encoding, urgency }),
    });
    router.addSource(source);
    return { source, handle };
  }
}
