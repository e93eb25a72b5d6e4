import { EventEmitter } from 'node:events';
import { EVERY_CAPABILITY } from '../../../server/media/engine/engine-capabilities.js';
import type { MediaEngine, MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type {
  AddSourceOptions,
  PublishingSession,
  PublishOptions,
  ViewingSession,
  ViewOptions,
} from '../../../server/media/engine/media-session.js';
import type { AddedTracks, SourceId } from '../../../server/media/engine/media-track.js';
import type { PeerMediaSession } from '../../../server/media/embedded/transport/peer-session-set.js';
import type { Sfu } from '../../../server/media/embedded/worker/sfu.js';
import { readOffer } from '../../../server/media/sdp/offer.js';

/** An `Sfu` as the engine of a server, without a process of its own. */
export class SfuEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly capabilities = EVERY_CAPABILITY;
  readonly #sfu: Sfu;

  constructor(sfu: Sfu) {
    super();
    this.#sfu = sfu;
    sfu.on('live', (...event) => this.emit('live', ...event));
    sfu.on('updated', (...event) => this.emit('updated', ...event));
    sfu.on('ended', (...event) => this.emit('ended', ...event));
    sfu.on('layers', (...event) => this.emit('layers', ...event));
    sfu.on('reception', (...event) => this.emit('reception', ...event));
    sfu.on('reachable', (...event) => this.emit('reachable', ...event));
    sfu.on('paused', (...event) => this.emit('paused', ...event));
    sfu.on('network', (...event) => this.emit('network', ...event));
    sfu.on('session-lost', (...event) => this.emit('session-lost', ...event));
  }

  async publish(stream: string, offer: string, options?: PublishOptions): Promise<PublishingSession> {
    return readingOffers(await this.#sfu.publish(stream, readOffer(offer), options));
  }

  async view(stream: string, offer: string, options?: ViewOptions): Promise<ViewingSession> {
    return readingOffers(await this.#sfu.view(stream, readOffer(offer), options));
  }

  addSource(stream: string, tracks: AddedTracks, options?: AddSourceOptions) {
    return this.#sfu.addSource(stream, tracks, options);
  }

  stats(stream: string) {
    return this.#sfu.stats(stream);
  }

  deliveries(stream: string) {
    return this.#sfu.deliveries(stream);
  }

  keyframe(stream: string, sourceId: SourceId) {
    return this.#sfu.keyframe(stream, sourceId);
  }

  /** Within one process there is no socket. */
  tapAddress(): undefined {
    return undefined;
  }

  publishUntil(time: number): void {
    this.#sfu.publishingDeadline.set(time);
  }

  close(): Promise<void> {
    return this.#sfu.close();
  }
}

function readingOffers<Session extends PeerMediaSession>(session: Session) {
  return { ...session, renew: async (offer: string) => session.renew(readOffer(offer)) };
}
