import { MediaError } from '../../engine/media-error.js';
import { AddedSource, type FedPacket } from '../producer/fed-source.js';
import type { SourceTrack } from '../producer/source.js';
import type { RouterHandle } from '../stream/router-registry.js';
import type { IncomingRole, RelayLink } from './relay-link.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayHost } from './relay-host.js';

type AddMessage = Extract<RelayMessage, { type: 'add' }>;

/** Receives a source that the server adds to a stream. It lives as long as the connection. */
export class AddedStream implements IncomingRole {
  readonly #connection: RelayLink;
  readonly #host: RelayHost;
  /** Undefined: it was refused. */
  #added: { readonly source: AddedSource; readonly handle: RouterHandle } | undefined;

  constructor(connection: RelayLink, message: AddMessage, host: RelayHost) {
    this.#connection = connection;
    this.#host = host;
    try {
      this.#add(message);
      connection.send({ type: 'added' });
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      connection.send({ type: 'refused', code: error.code, message: error.message });
    }
  }

  onMessage(message: RelayMessage): void {
    if (message.type === 'tracks') return this.#setTracks(message.tracks);
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
  #add({ stream, id, tracks }: AddMessage): void {
    this.#host.mustTake(stream);
    const handle = this.#host.acquireRouter(stream);
    if (handle.router.has(id)) {
      handle.release();
      throw new MediaError('stream_in_use', 'the source has a publisher already');
    }
    const source = this.#sourceWith(id, tracks, handle);
    handle.router.addSource(source);
    this.#added = { source, handle };
  }

  #setTracks(tracks: readonly SourceTrack[]): void {
    if (!this.#added) return;
    const { source: before, handle } = this.#added;
    const source = this.#sourceWith(before.source.id, tracks, handle);
    handle.router.replaceSource(before, source, performance.now());
    this.#added = { source, handle };
  }

  #sourceWith(id: AddMessage['id'], tracks: readonly SourceTrack[], { router }: RouterHandle): AddedSource {
    return new AddedSource({
      id,
      tracks,
      events: router.sourceEvents,
      onKeyframeRequest: (encoding, urgency) =>
        this.#connection.send({ type: 'keyframe', source: 0, encoding, urgency }),
    });
  }
}
