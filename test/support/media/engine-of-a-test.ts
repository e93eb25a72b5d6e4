import { EventEmitter } from 'node:events';
import type { MediaEngine, MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type {
  AddSourceOptions,
  ConnectedMedia,
  PublishOptions,
  ViewOptions,
} from '../../../server/media/engine/media-session.js';
import type { AddedTracks, SourceId } from '../../../server/media/engine/media-track.js';

/** What tests that share an engine may use of it. */
type SharedEngine = Omit<MediaEngine, keyof EventEmitter | 'publishUntil' | 'close'>;

/** An engine that tests share, as one of them sees it: its own streams, and the events of its own sessions. */
export class EngineOfATest extends EventEmitter<MediaEngineEvents> implements SharedEngine {
  readonly #engine: MediaEngine;
  readonly #test: string;
  readonly #sessions = new Map<string, ConnectedMedia>();
  readonly offer?: NonNullable<MediaEngine['offer']>;

  /** @param test begins the names of its streams */
  constructor(engine: MediaEngine, test: string) {
    super();
    this.#engine = engine;
    this.#test = test;
    if (engine.offer) {
      this.offer = async (stream, ...options) => this.#kept(await engine.offer!(this.nameOf(stream), ...options));
    }
    engine.on('live', this.#onLive).on('ended', this.#onEnded).on('session-lost', this.#onLost);
    engine.on('reachable', this.#onReachable).on('network', this.#onNetwork).on('updated', this.#onUpdated);
  }

  /** Closes the sessions of the test, and has no more events. */
  leave(): void {
    for (const session of this.#sessions.values()) session.close();
    const engine = this.#engine;
    engine.off('live', this.#onLive).off('ended', this.#onEnded).off('session-lost', this.#onLost);
    engine.off('reachable', this.#onReachable).off('network', this.#onNetwork).off('updated', this.#onUpdated);
  }

  /** What the shared engine calls a stream. */
  nameOf(stream: string): string {
    return this.#test + stream;
  }

  get capabilities() {
    return this.#engine.capabilities;
  }

  health() {
    return this.#engine.health?.() ?? { isUsable: true, faults: [] };
  }

  async publish(stream: string, offer: string, options?: PublishOptions) {
    return this.#kept(await this.#engine.publish(this.nameOf(stream), offer, options));
  }

  async addSource(stream: string, tracks: AddedTracks, options?: AddSourceOptions) {
    return this.#kept(await this.#engine.addSource(this.nameOf(stream), tracks, options));
  }

  async view(stream: string, offer: string, options?: ViewOptions) {
    return this.#kept(await this.#engine.view(this.nameOf(stream), offer, options));
  }

  stats(stream: string) {
    return this.#engine.stats(this.nameOf(stream));
  }

  deliveries(stream: string) {
    return this.#engine.deliveries(this.nameOf(stream));
  }

  keyframe(stream: string, sourceId: SourceId) {
    return this.#engine.keyframe(this.nameOf(stream), sourceId);
  }

  tapAddress(stream: string) {
    return this.#engine.tapAddress(this.nameOf(stream));
  }

  #kept<Session extends ConnectedMedia>(session: Session): Session {
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Its own name of a stream. Undefined: it is one of another test. */
  #ownName(stream: string): string | undefined {
    return stream.startsWith(this.#test) ? stream.slice(this.#test.length) : undefined;
  }

  readonly #onUpdated = (...[stream, source, tracks]: MediaEngineEvents['updated']) => {
    const name = this.#ownName(stream);
    if (name !== undefined) this.emit('updated', name, source, tracks);
  };

  readonly #onLive = (stream: string, ...news: [SourceId, MediaEngineEvents['live'][2]]): void => {
    const own = this.#ownName(stream);
    if (own !== undefined) this.emit('live', own, ...news);
  };

  readonly #onEnded = (stream: string, sourceId: SourceId): void => {
    const own = this.#ownName(stream);
    if (own !== undefined) this.emit('ended', own, sourceId);
  };

  readonly #onLost = (...news: MediaEngineEvents['session-lost']): void => {
    if (this.#sessions.has(news[0])) this.emit('session-lost', ...news);
  };

  readonly #onReachable = (...news: MediaEngineEvents['reachable']): void => {
    if (this.#sessions.has(news[0])) this.emit('reachable', ...news);
  };

  readonly #onNetwork = (...news: MediaEngineEvents['network']): void => {
    if (this.#sessions.has(news[0])) this.emit('network', ...news);
  };
}
