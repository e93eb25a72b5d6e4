import type { LayerChoice, LayerState, Projection, SourceId, StreamStats, TrackKind } from '../../media-engine.js';
import { MediaError } from '../../media-engine.js';
import type { Subscriber } from '../consumer/subscriber.js';
import type { Source, SourceEvents } from '../producer/source.js';

export interface RouterEvents {
  onLive(source: SourceId, kinds: readonly TrackKind[]): void;
  onUpdated(source: SourceId, kinds: readonly TrackKind[]): void;
  onEnded(source: SourceId): void;
  /** Once a second for each source with video that is live. */
  onLayers(source: SourceId, layers: readonly LayerState[]): void;
}

/** A source, and what brings its packets here. */
export interface SourceTransport {
  readonly source: Source;
  /** Its publisher is in another process, which tells of it. Here it is sent to viewers, and nothing more. */
  readonly relayed?: boolean;
  /** Whether `tick` has something to do soon, even if nothing comes. */
  readonly needsTickSoon: boolean;
  tick(now: number): void;
}

/** Is told of the sources whose publishers are here. */
export interface SourceObserver {
  onSourceAdded(source: Source): void;
  onSourceRemoved(source: Source): void;
}

const MEASURE_EVERY_MS = 1_000;
/** The viewers are gone round in this: no packet is to wait for all of them. */
const ATTEND_WITHIN_MS = 500;
/** So many at once make no packet wait, and cost less than one after the other. */
const ATTEND_AT_ONCE = 16;

/**
 * One stream: what its sources send goes to its viewers, and who gets what of it. Knows packets and nothing of how
 * they travel. `now` is in ms of one clock throughout.
 */
export class Router {
  readonly #events: RouterEvents;
  readonly #feeds = new Set<SourceTransport>();
  readonly #sources = new Map<SourceId, Source>();
  /** Those whose publishers are here. */
  readonly #own = new Set<Source>();
  readonly #watchers = new Set<SourceObserver>();
  readonly #viewers = new Set<Subscriber>();
  #measuredAt = -Infinity;
  #nacksAnswered = 0;
  /** Those whose networks are being tried out. */
  readonly #probing = new Set<Subscriber>();
  /** Viewers to look after before the second is over. */
  #unattended: Subscriber[] = [];
  #attendedAt = 0;

  constructor(events: RouterEvents) {
    this.#events = events;
  }

  /** What a source of this hub is to report to. */
  readonly sourceEvents: SourceEvents = {
    onLive: (source, now) => {
      this.#arrangeAll(now);
      if (this.#own.has(source)) this.#events.onLive(source.id, source.kinds);
    },
    onUpdated: (source) => {
      if (this.#own.has(source)) this.#events.onUpdated(source.id, source.kinds);
    },
    onEncodingsChanged: (_source, now) => this.#arrangeAll(now),
  };

  /** Whether there is somebody at this source, live or not. */
  has(source: SourceId): boolean {
    return this.#sources.has(source);
  }

  /** Whether there may be anything to choose by what a viewer's network carries: unless all there is, is one picture in one layer. */
  mayHaveLayers(now: number): boolean {
    const live = [...this.#sources.values()].filter((source) => source.live);
    return live.length !== 1 || live[0]!.mayHaveLayers(now);
  }

  addSource(feed: SourceTransport): void {
    // What was counted is of those who published before.
    if (!this.#feeds.size) this.#nacksAnswered = 0;
    this.#feeds.add(feed);
    this.#sources.set(feed.source.id, feed.source);
    if (feed.relayed) return;
    this.#own.add(feed.source);
    for (const watcher of this.#watchers) watcher.onSourceAdded(feed.source);
  }

  removeSource(feed: SourceTransport, now: number): void {
    if (!this.#feeds.delete(feed)) return;
    const { source } = feed;
    this.#sources.delete(source.id);
    source.end();
    this.#arrangeAll(now);
    if (!this.#own.delete(source)) return;
    for (const watcher of this.#watchers) watcher.onSourceRemoved(source);
    if (source.live) this.#events.onEnded(source.id);
  }

  /** Tells of the sources that there are, and from now on of each change. */
  addObserver(watcher: SourceObserver): void {
    this.#watchers.add(watcher);
    for (const source of this.#own) watcher.onSourceAdded(source);
  }

  removeObserver(watcher: SourceObserver): void {
    this.#watchers.delete(watcher);
  }

  /** A viewer's transport is being opened: the keyframe that it begins with is asked for meanwhile. */
  prepareSubscriber(viewer: Subscriber, now: number): void {
    viewer.prepare(this.#sources, now);
  }

  /** Its transport has opened, for the first time or again: what it sees begins with a keyframe. */
  addSubscriber(viewer: Subscriber, now: number): void {
    this.#viewers.add(viewer);
    viewer.transport.onOpen(now);
    this.#arrange(viewer, now);
  }

  removeSubscriber(viewer: Subscriber): void {
    this.#probing.delete(viewer);
    if (this.#viewers.delete(viewer)) viewer.close();
  }

  select(viewer: Subscriber, choice: LayerChoice, now: number): void {
    viewer.select(choice);
    this.#arrange(viewer, now);
  }

  /** @throws {MediaError} `unknown_source`, `unknown_media`, and then nothing has changed */
  project(viewer: Subscriber, sourceId: SourceId, projections: readonly Projection[], now: number): void {
    if (!this.#sources.has(sourceId)) {
      const name = sourceId === null ? 'main source' : `source "${sourceId}"`;
      throw new MediaError('unknown_source', `the stream has no ${name}`);
    }
    viewer.project(sourceId, projections);
    this.#arrange(viewer, now);
  }

  /** @throws {MediaError} `unknown_media`, and then nothing has changed */
  unproject(viewer: Subscriber, mediaIds: readonly string[], now: number): void {
    viewer.unproject(mediaIds);
    this.#arrange(viewer, now);
  }

  onSubscriberPacket(viewer: Subscriber, packet: Buffer, now: number): void {
    this.#nacksAnswered += viewer.transport.receive(packet, now);
    if (viewer.isOverloaded(now)) this.#arrange(viewer, now);
  }

  /** Whether `tick` is to be called soon, even if nothing comes: something is missing, or a network is tried out. */
  get needsTickSoon(): boolean {
    if (this.#probing.size) return true;
    for (const feed of this.#feeds) if (feed.needsTickSoon) return true;
    return false;
  }

  /** To be called every few tens of ms, or a little later where nothing comes that is not asked for. */
  tick(now: number): void {
    for (const feed of this.#feeds) {
      feed.tick(now);
      feed.source.tick(now);
    }
    if (now - this.#measuredAt >= MEASURE_EVERY_MS) this.#measure(now);
    this.#probe(now);
    this.#attend(now);
  }

  /** What came counts where the publisher is, what was sent where the viewer is: several hubs of a stream add up. */
  stats(): StreamStats {
    const own = [...this.#own];
    const encodingsOf = (sources: Iterable<Source>) => [...sources].flatMap((source) => source.encodings);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      live: own.some(({ live }) => live),
      viewers: this.#viewers.size,
      packetsIn: sum(own.map(({ packetsIn }) => packetsIn)),
      bytesIn: sum(own.map(({ bytesIn }) => bytesIn)),
      packetsOut: sum(encodingsOf(this.#sources.values()).map(({ packetsOut }) => packetsOut)),
      keyframes: sum(encodingsOf(own).map(({ keyframeCount }) => keyframeCount)),
      nacksAnswered: this.#nacksAnswered,
    };
  }

  #measure(now: number): void {
    this.#measuredAt = now;
    for (const source of this.#sources.values()) {
      const layers = source.measure(now);
      if (source.live && layers.length && this.#own.has(source)) this.#events.onLayers(source.id, layers);
    }
    this.#unattended = [...this.#viewers];
  }

  #attend(now: number): void {
    const share = Math.ceil((this.#viewers.size * (now - this.#attendedAt)) / ATTEND_WITHIN_MS);
    const most = Math.max(ATTEND_AT_ONCE, share);
    this.#attendedAt = now;
    for (let turn = 0; turn < most; turn++) {
      const viewer = this.#unattended.pop();
      if (!viewer) return;
      if (!this.#viewers.has(viewer)) continue;
      viewer.onSecond(now);
      this.#arrange(viewer, now);
    }
  }

  #probe(now: number): void {
    for (const viewer of this.#probing) {
      if (viewer.transport.isProbing(now)) viewer.transport.probe(now);
      else this.#probing.delete(viewer);
    }
  }

  #arrange(viewer: Subscriber, now: number): void {
    if (!this.#viewers.has(viewer)) return;
    viewer.update(this.#sources, now);
    if (viewer.transport.isProbing(now)) this.#probing.add(viewer);
  }

  #arrangeAll(now: number): void {
    for (const viewer of this.#viewers) this.#arrange(viewer, now);
  }
}
