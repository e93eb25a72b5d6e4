import { Emitter } from '../faults/emitter.js';
import type { EngineCapabilities } from './engine/engine-capabilities.js';
import type { MediaEngine, MediaEngineEvents, TapAddress } from './engine/media-engine.js';
import type { Delivery, StreamStats } from './engine/media-figures.js';
import type {
  AddedSource,
  AddSourceOptions,
  ConnectedMedia,
  OfferedViewing,
  PublishingSession,
  PublishOptions,
  SentRelay,
  ViewingSession,
  ViewOptions,
} from './engine/media-session.js';
import type { AddedTracks, Keyframe, SourceId } from './engine/media-track.js';

/**
 * Two engines as one: each stream has the engine that `isElsewhere` says when a session of it opens. It has no processes:
 * ask the engines for their figures and health.
 */
export class RoutedEngine extends Emitter<MediaEngineEvents> implements MediaEngine {
  readonly #own: MediaEngine;
  readonly #other: MediaEngine;
  readonly #isElsewhere: (stream: string) => boolean;

  /** @param own carries the streams that are not elsewhere @param other carries those that are */
  constructor(own: MediaEngine, other: MediaEngine, isElsewhere: (stream: string) => boolean) {
    super('media');
    this.#own = own;
    this.#other = other;
    this.#isElsewhere = isElsewhere;
    for (const engine of [own, other]) {
      engine.on('live', (...event) => this.emit('live', ...event));
      engine.on('updated', (...event) => this.emit('updated', ...event));
      engine.on('ended', (...event) => this.emit('ended', ...event));
      engine.on('layers', (...event) => this.emit('layers', ...event));
      engine.on('reception', (...event) => this.emit('reception', ...event));
      engine.on('reachable', (...event) => this.emit('reachable', ...event));
      engine.on('paused', (...event) => this.emit('paused', ...event));
      engine.on('network', (...event) => this.emit('network', ...event));
      engine.on('session-lost', (...event) => this.emit('session-lost', ...event));
    }
  }

  /** Of the engine of most streams. What holds for one stream is in `capabilitiesOf`. */
  get capabilities(): EngineCapabilities {
    return this.#own.capabilities;
  }

  capabilitiesOf(stream: string): EngineCapabilities {
    return this.#engineOf(stream).capabilities;
  }

  publish(stream: string, offer: string, options?: PublishOptions): Promise<PublishingSession> {
    return this.#engineOf(stream).publish(stream, offer, options);
  }

  addSource(stream: string, tracks: AddedTracks, options?: AddSourceOptions): Promise<AddedSource> {
    return this.#engineOf(stream).addSource(stream, tracks, options);
  }

  view(stream: string, offer: string, options?: ViewOptions): Promise<ViewingSession> {
    return this.#engineOf(stream).view(stream, offer, options);
  }

  /** Only for streams whose engine makes the offer. */
  offer(stream: string, wanted: string, options?: ViewOptions): Promise<OfferedViewing> {
    return this.#engineOf(stream).offer!(stream, wanted, options);
  }

  stats(stream: string): Promise<StreamStats> {
    return this.#engineOf(stream).stats(stream);
  }

  deliveries(stream: string): Promise<readonly Delivery[]> {
    return this.#engineOf(stream).deliveries(stream);
  }

  keyframe(stream: string, sourceId: SourceId): Promise<Keyframe | undefined> {
    return this.#engineOf(stream).keyframe(stream, sourceId);
  }

  tapAddress(stream: string): TapAddress | undefined {
    return this.#engineOf(stream).tapAddress(stream);
  }

  canRelay(stream: string): boolean {
    return this.#engineOf(stream).canRelay?.(stream) ?? false;
  }

  /** Only for streams that can be relayed. */
  sendRelay(stream: string, offer: string): Promise<SentRelay> {
    return this.#engineOf(stream).sendRelay!(stream, offer);
  }

  /** Only for streams that can be relayed. */
  receiveRelay(stream: string, exchange: (offer: string) => Promise<string>): Promise<ConnectedMedia> {
    return this.#engineOf(stream).receiveRelay!(stream, exchange);
  }

  publishUntil(time: number): void {
    this.#own.publishUntil(time);
    this.#other.publishUntil(time);
  }

  async close(): Promise<void> {
    await Promise.all([this.#own.close(), this.#other.close()]);
  }

  #engineOf(stream: string): MediaEngine {
    return this.#isElsewhere(stream) ? this.#other : this.#own;
  }
}
