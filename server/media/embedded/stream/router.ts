import { MediaError } from '../../engine/media-error.js';
import type { LayerState, ReceptionState, StreamStats } from '../../engine/media-figures.js';
import type { LayerChoice, Projection } from '../../engine/media-session.js';
import type { Keyframe, SourceId, TrackKind } from '../../engine/media-track.js';
import { rankOf } from '../consumer/load-limit.js';
import type { Subscriber } from '../consumer/subscriber.js';
import { KeyframeCollector } from '../frames/keyframe-collector.js';
import type { PacingState } from '../producer/frame-pacer.js';
import type { RtpEncoding } from '../producer/rtp-encoding.js';
import type { Source, SourceEvents } from '../producer/source.js';
import type { Format } from '../../sdp/codecs.js';

export interface RouterEvents {
  onLive(source: SourceId, kinds: readonly TrackKind[]): void;
  onUpdated(source: SourceId, kinds: readonly TrackKind[]): void;
  onEnded(source: SourceId): void;
  /** Once a second for each live source with video. */
  onLayers(source: SourceId, layers: readonly LayerState[]): void;
  /** Once a second for each live source that is published here. */
  onReception(source: SourceId, state: ReceptionState): void;
  /** Packets are held: call `pace` at the end of the turn, and until nothing is. Absent: packets are sent as they arrive. */
  readonly onHeld?: (() => void) | undefined;
  /** A keyframe was requested of a publisher. */
  readonly onKeyframeRequested?: (() => void) | undefined;
  /** A frame of video or a packet of sound was shed. */
  readonly onShed?: ((kind: TrackKind) => void) | undefined;
}

/** A source, and the transport that delivers its packets. */
export interface SourceTransport {
  readonly source: Source;
  /** The publisher is in another worker, which reports the source's events. */
  readonly isRelayed?: boolean;
  /** Whether `tick` has work soon, even if no packet arrives. */
  readonly needsTickSoon: boolean;
  tick(now: number): void;
  /** How packets arrived since the last call. Absent: the publisher is in another worker. */
  takeReception?(): ReceptionState;
}

/** Learns of the sources that are published to this router, not relayed to it. */
export interface SourceObserver {
  onSourceAdded(source: Source): void;
  onSourceRemoved(source: Source): void;
  /** What is known of a live source changed, or was measured again. */
  onSourceMeasured?(source: Source): void;
}

const MEASURE_INTERVAL_MS = 1_000;
/** The once-a-second work of all subscribers is spread over this time, so that no packet waits for all of it. */
const SUBSCRIBER_ROUND_MS = 500;
/** A batch of this size does not delay packets, and costs less than single subscribers. */
const MIN_BATCH = 16;

/**
 * Carries one stream: forwards what its sources send to its subscribers. It is independent of the network. `now` is
 * in ms of one clock in all calls.
 */
export class Router {
  readonly #events: RouterEvents;
  readonly #transports = new Set<SourceTransport>();
  readonly #sources = new Map<SourceId, Source>();
  /** Sources that are published here. */
  readonly #published = new Set<Source>();
  /** Those of them that were announced as live. One that replaces such a source is so before its first packet. */
  readonly #announced = new Set<Source>();
  readonly #observers = new Set<SourceObserver>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #probing = new Set<Subscriber>();
  /** How often a subscriber's transport has opened. */
  #opened = 0;
  /** Encodings that hold packets. */
  readonly #held = new Set<RtpEncoding>();
  /** Subscribers whose once-a-second work is still to do. */
  #due: Subscriber[] = [];
  #dueAt = 0;
  #measuredAt = -Infinity;
  #nacksAnswered = 0;
  /** What the load of this process allows of the video. */
  #loadShare = 1;

  /** Pass to each source of this router. */
  readonly sourceEvents: SourceEvents;

  constructor(events: RouterEvents) {
    this.#events = events;
    const { onHeld } = events;
    this.sourceEvents = this.#sourceEvents(
      onHeld &&
        ((encoding) => {
          this.#held.add(encoding);
          onHeld();
        }),
    );
  }

  readonly #sourceEvents = (onHeld: SourceEvents['onHeld']): SourceEvents => ({
    onHeld,
    onLive: (source, now) => {
      this.#updateAll(now);
      if (!this.#published.has(source)) return;
      this.#tellObservers(source);
      if (this.#announced.has(source)) return this.#events.onUpdated(source.id, source.kinds);
      this.#announced.add(source);
      this.#events.onLive(source.id, source.kinds);
    },
    onUpdated: (source) => {
      if (!this.#published.has(source)) return;
      this.#tellObservers(source);
      this.#events.onUpdated(source.id, source.kinds);
    },
    onEncodingsChanged: (source, now) => {
      this.#updateAll(now);
      if (this.#published.has(source)) this.#tellObservers(source);
    },
    onKeyframeRequested: (source) => {
      if (this.#published.has(source)) this.#events.onKeyframeRequested?.();
    },
    onShed: (kind) => this.#events.onShed?.(kind),
  });

  /** Sends what arrived in this turn, and what is due of large frames. @returns when to call it again */
  pace(now: number): PacingState {
    let soonest: PacingState = 'idle';
    for (const encoding of this.#held) {
      const state = encoding.pace(now);
      if (state === 'idle') this.#held.delete(encoding);
      else if (soonest !== 'now') soonest = state;
    }
    return soonest;
  }

  /** How many sources are published here. */
  get publishers(): number {
    return this.#published.size;
  }

  /** Whether the source has a publisher, live or not. */
  has(source: SourceId): boolean {
    return this.#sources.has(source);
  }

  /** Whether there may be something to choose by a viewer's bandwidth: false for one live source with one layer. */
  mayHaveLayers(now: number): boolean {
    const live = [...this.#sources.values()].filter((source) => source.live);
    return live.length !== 1 || live[0]!.mayHaveLayers(now);
  }

  addSource(transport: SourceTransport): void {
    // A new publisher starts new statistics.
    if (!this.#transports.size) this.#nacksAnswered = 0;
    this.#transports.add(transport);
    this.#sources.set(transport.source.id, transport.source);
    if (transport.isRelayed) return;
    this.#published.add(transport.source);
    for (const observer of this.#observers) observer.onSourceAdded(transport.source);
  }

  removeSource(transport: SourceTransport, now: number): void {
    if (this.#remove(transport, now)) this.#events.onEnded(transport.source.id);
  }

  /** The publisher sends other tracks from now on. The source does not end: what was announced of it is updated. */
  replaceSource(before: SourceTransport, after: SourceTransport, now: number): void {
    const wasAnnounced = this.#remove(before, now);
    this.addSource(after);
    if (wasAnnounced) this.#announced.add(after.source);
  }

  /** @returns whether it was announced, and is so no more */
  #remove(transport: SourceTransport, now: number): boolean {
    if (!this.#transports.delete(transport)) return false;
    const { source } = transport;
    this.#sources.delete(source.id);
    source.end();
    this.#updateAll(now);
    if (!this.#published.delete(source)) return false;
    for (const observer of this.#observers) observer.onSourceRemoved(source);
    return this.#announced.delete(source);
  }

  /** Reports the current sources at once, then each change. */
  addObserver(observer: SourceObserver): void {
    this.#observers.add(observer);
    for (const source of this.#published) observer.onSourceAdded(source);
  }

  removeObserver(observer: SourceObserver): void {
    this.#observers.delete(observer);
  }

  /** See `Subscriber.undecodableFormat`. */
  undecodableFormat(subscriber: Subscriber): Format | undefined {
    return subscriber.undecodableFormat(this.#sources);
  }

  /** The subscriber's transport is opening: requests the keyframe that it will begin with. */
  prepareSubscriber(subscriber: Subscriber, now: number): void {
    subscriber.prepare(this.#sources, now);
  }

  /** The subscriber's transport opened, for the first time or again: its video begins with a keyframe. */
  addSubscriber(subscriber: Subscriber, now: number): void {
    this.#subscribers.add(subscriber);
    subscriber.onOpen(now, rankOf((this.#opened += 1)));
    this.#update(subscriber, now);
  }

  removeSubscriber(subscriber: Subscriber): void {
    this.#probing.delete(subscriber);
    if (this.#subscribers.delete(subscriber)) subscriber.close();
  }

  /** @param share the part of the video that the load of this process allows all viewers together, 0 to 1 */
  setLoadShare(share: number, now: number): void {
    if (share === this.#loadShare) return;
    this.#loadShare = share;
    this.#updateAll(now);
  }

  select(subscriber: Subscriber, choice: LayerChoice, now: number): void {
    subscriber.select(choice, now);
    this.#update(subscriber, now);
  }

  /** @throws {MediaError} `unknown_source`, `unknown_media`; nothing has changed then */
  project(
    subscriber: Subscriber,
    sourceId: SourceId | undefined,
    projections: readonly Projection[],
    now: number,
  ): void {
    if (sourceId !== undefined && !this.#sources.has(sourceId)) {
      const name = sourceId === null ? 'main source' : `source "${sourceId}"`;
      throw new MediaError('unknown_source', `the stream has no ${name}`);
    }
    subscriber.project(sourceId, projections, now);
    this.#update(subscriber, now);
  }

  /** @throws {MediaError} `unknown_media`; nothing has changed then */
  unproject(subscriber: Subscriber, mediaIds: readonly string[], now: number): void {
    subscriber.unproject(mediaIds);
    this.#update(subscriber, now);
  }

  onSubscriberPacket(subscriber: Subscriber, packet: Buffer, now: number): void {
    this.#nacksAnswered += subscriber.transport.receive(packet, now);
    if (subscriber.isUpdateDue(now)) this.#update(subscriber, now);
    else if (subscriber.transport.isProbing(now)) this.#probing.add(subscriber);
  }

  /** The video of a source that is published here. `awaited`: the source is live, and its first video packet is yet to come. */
  videoState(sourceId: SourceId): 'none' | 'awaited' | 'arriving' {
    const source = this.#sources.get(sourceId);
    if (!source?.live || !this.#published.has(source) || !source.video.length) return 'none';
    if (source.video.some(({ active }) => active)) return 'arriving';
    return source.video.every(({ lastPacketAt }) => lastPacketAt === undefined) ? 'awaited' : 'none';
  }

  /**
   * Collects the next keyframe of the smallest encoding that arrives of a source that is published here.
   * @param onDone undefined: the encoding ended
   * @returns ends the collection; undefined: no video arrives
   */
  collectKeyframe(
    sourceId: SourceId,
    onDone: (keyframe: Keyframe | undefined) => void,
    now: number,
  ): (() => void) | undefined {
    const source = this.#sources.get(sourceId);
    const encoding = source && this.#published.has(source) ? source.byQuality.find(({ active }) => active) : undefined;
    if (!encoding) return undefined;
    const collector = new KeyframeCollector(encoding, onDone);
    encoding.addSink(collector, now);
    return () => encoding.removeSink(collector);
  }

  /** Whether to call `tick` soon, even if no packet arrives: a packet is missing, or a probe is running. */
  get needsTickSoon(): boolean {
    if (this.#probing.size) return true;
    for (const transport of this.#transports) if (transport.needsTickSoon) return true;
    return false;
  }

  /** Call every few tens of ms; less often is enough while no packets arrive and `needsTickSoon` is false. */
  tick(now: number): void {
    for (const transport of this.#transports) {
      transport.tick(now);
      transport.source.tick(now);
    }
    if (now - this.#measuredAt >= MEASURE_INTERVAL_MS) this.#measure(now);
    this.#probe(now);
    this.#updateDue(now);
  }

  /**
   * Counts received packets in the publisher's worker and sent packets in each viewer's: add up those of all workers.
   */
  stats(): StreamStats {
    const published = [...this.#published];
    const encodingsOf = (sources: Iterable<Source>) => [...sources].flatMap((source) => source.encodings);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      live: published.some(({ live }) => live),
      viewers: this.#subscribers.size,
      packetsIn: sum(published.map(({ packetsIn }) => packetsIn)),
      bytesIn: sum(published.map(({ bytesIn }) => bytesIn)),
      packetsOut: sum(encodingsOf(this.#sources.values()).map(({ packetsOut }) => packetsOut)),
      keyframes: sum(encodingsOf(published).map(({ keyframeCount }) => keyframeCount)),
      nacksAnswered: this.#nacksAnswered,
    };
  }

  #tellObservers(source: Source): void {
    for (const observer of this.#observers) observer.onSourceMeasured?.(source);
  }

  #measure(now: number): void {
    this.#measuredAt = now;
    for (const source of this.#sources.values()) {
      const layers = source.measure(now);
      if (!source.live || !this.#published.has(source)) continue;
      if (layers.length) this.#events.onLayers(source.id, layers);
      this.#tellObservers(source);
    }
    for (const transport of this.#transports) {
      const reception = transport.takeReception?.();
      if (reception && transport.source.live) this.#events.onReception(transport.source.id, reception);
    }
    this.#due = [...this.#subscribers];
  }

  #updateDue(now: number): void {
    const share = Math.ceil((this.#subscribers.size * (now - this.#dueAt)) / SUBSCRIBER_ROUND_MS);
    const batch = Math.max(MIN_BATCH, share);
    this.#dueAt = now;
    for (let count = 0; count < batch; count++) {
      const subscriber = this.#due.pop();
      if (!subscriber) return;
      if (!this.#subscribers.has(subscriber)) continue;
      subscriber.onSecond(now);
      this.#update(subscriber, now);
    }
  }

  #probe(now: number): void {
    for (const subscriber of this.#probing) {
      if (subscriber.transport.isProbing(now)) subscriber.transport.probe(now);
      else if (this.#probing.delete(subscriber)) subscriber.transport.endProbe(now);
    }
  }

  #update(subscriber: Subscriber, now: number): void {
    if (!this.#subscribers.has(subscriber)) return;
    subscriber.update(this.#sources, this.#loadShare, now);
    if (subscriber.transport.isProbing(now)) this.#probing.add(subscriber);
  }

  #updateAll(now: number): void {
    for (const subscriber of this.#subscribers) this.#update(subscriber, now);
  }
}
