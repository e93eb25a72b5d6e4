import { MediaError } from '../../engine/media-error.js';
import type { Delivery } from '../../engine/media-figures.js';
import type { LayerChoice, Projection, ViewOptions } from '../../engine/media-session.js';
import type { SourceId, TrackKind } from '../../engine/media-track.js';
import type { Source } from '../producer/source.js';
import type { Format } from '../../sdp/codecs.js';
import type { PacketSink } from '../transport/webrtc-transport.js';
import { Consumer, type SourceSelection } from './consumer.js';
import type { DownTrackParameters } from './down-track.js';
import type { SubscriberParameters } from './subscriber-parameters.js';
import { SubscriberTransport } from './subscriber-transport.js';

export type Sources = ReadonlyMap<SourceId, Source>;

/** A consumer costs work for as long as the viewer stays. */
const MAX_CONSUMERS = 64;
const MIN_UPDATE_INTERVAL_MS = 200;

export interface SubscriberEvents {
  /** Whether media reaches the viewer. */
  onReachable(reachable: boolean): void;
  /** The mids of the m-lines whose video is paused changed. */
  onPaused(mediaIds: readonly string[]): void;
}

/** One viewer of a stream: a consumer for each m-line, and the bandwidth shared between them. */
export class Subscriber {
  readonly transport: SubscriberTransport;
  readonly #parameters: SubscriberParameters;
  readonly #options: ViewOptions;
  readonly #events: SubscriberEvents;
  /** By mid. */
  readonly #consumers = new Map<string, Consumer>();
  readonly #mains: Partial<Record<TrackKind, Consumer>> = {};
  /** See `rankOf`. */
  #rank = 0;
  #updatedAt = -Infinity;
  /** What is sent, measured over the last second. */
  #bitrate = 0;
  /** The mids of the m-lines whose video is paused. */
  #paused: readonly string[] = [];
  /** What the network carried at the last update, and what would have been sent had it carried enough. */
  #atUpdate = { available: Infinity, wanted: 0 };

  constructor(sink: PacketSink, parameters: SubscriberParameters, options: ViewOptions, events: SubscriberEvents) {
    this.transport = new SubscriberTransport(sink, parameters, (reachable) => events.onReachable(reachable));
    this.#events = events;
    this.#parameters = parameters;
    this.#options = options;
    for (const track of parameters.tracks) this.#add(track, this.#mains[track.kind] ? 'none' : 'main');
  }

  select(choice: LayerChoice, now: number): void {
    this.#mains.video?.setLayerChoice(choice, now);
    this.transport.restartProbes();
  }

  /** @param sourceId see `ShownMedia.project` @throws {MediaError} `unknown_media`; nothing has changed then */
  project(sourceId: SourceId | undefined, projections: readonly Projection[], now: number): void {
    const targets = projections.map((projection) => ({ projection, consumer: this.#consumerFor(projection) }));
    for (const { projection, consumer } of targets) {
      consumer.select(sourceId === undefined ? 'main' : { sourceId });
      if (projection.layer || consumer !== this.#mains.video) consumer.setLayerChoice(projection.layer ?? {}, now);
    }
  }

  /** @throws {MediaError} `unknown_media`; nothing has changed then */
  unproject(mediaIds: readonly string[]): void {
    const consumers = mediaIds.map((mid) => this.#consumers.get(mid) ?? unknownMedia(mid));
    for (const consumer of consumers) consumer.select('none');
  }

  /** The transport opened, for the first time or again: what was chosen for an earlier network path does not count. */
  onOpen(now: number, rank: number): void {
    this.#rank = rank;
    this.transport.onOpen(now);
    for (const consumer of this.#consumers.values()) consumer.restartSelection('path', now);
  }

  /** The format of a video that the viewer cannot decode. Undefined: it can decode one of them, or there is none. */
  undecodableFormat(sources: Sources): Format | undefined {
    const { video } = this.#mains;
    const shown = video ? [...sources.values()].filter((source) => source.video.length > 0) : [];
    return shown.some((source) => video!.canDecode(source)) ? undefined : shown[0]?.video[0]?.format;
  }

  /** Requests the first keyframe before the transport is open. */
  prepare(sources: Sources, now: number): void {
    const main = this.#main(sources);
    if (main) this.#mains.video?.prepare(main, now);
  }

  /**
   * Selects sources and layers for all m-lines within the available bandwidth. Audio has priority.
   * @param share what the load of this process allows of the video of all viewers together, 0 to 1
   */
  update(sources: Sources, share: number, now: number): void {
    this.#updatedAt = now;
    this.#bitrate = 0;
    let wanted = 0;
    const main = this.#main(sources);
    const { availableBitrate } = this.transport;
    const provenBitrate = this.transport.provenBitrate(now);
    const consumers = [...this.#consumers.values()];
    const isAudio = ({ downTrack }: Consumer) => downTrack.parameters.kind === 'audio';
    for (const consumer of [...consumers.filter(isAudio), ...consumers.filter((consumer) => !isAudio(consumer))]) {
      const { selection } = consumer;
      const source = selection === 'main' ? main : selection === 'none' ? undefined : sources.get(selection.sourceId);
      const available = availableBitrate === undefined ? undefined : availableBitrate - this.#bitrate;
      const proven = provenBitrate - this.#bitrate;
      const bitrate = consumer.update(source, { available, proven, share, rank: this.#rank }, now);
      this.#bitrate += bitrate;
      wanted += consumer.desiredBitrate ?? bitrate;
    }
    this.#atUpdate = { available: availableBitrate ?? Infinity, wanted };
    const needsProof = consumers.some((consumer) => consumer.needsProof);
    if (wanted > this.#bitrate) this.transport.startProbe(wanted, now, needsProof);
    this.#reportPaused(consumers);
  }

  /** Whether to update now: more is sent than the network carries, or it carries what is wanted, which it did not. */
  isUpdateDue(now: number): boolean {
    if (now - this.#updatedAt < MIN_UPDATE_INTERVAL_MS) return false;
    const { availableBitrate = Infinity } = this.transport;
    const { available, wanted } = this.#atUpdate;
    return this.#bitrate > availableBitrate || (available < wanted && availableBitrate >= wanted);
  }

  delivery(sessionId: string): Delivery {
    const { availableBitrate, failedSends } = this.transport;
    const layer = this.#mains.video?.delivered;
    return { sessionId, bitrate: this.#bitrate, availableBitrate, layer, failedSends };
  }

  close(): void {
    for (const { downTrack } of this.#consumers.values()) downTrack.setEncoding(undefined, 0);
  }

  /** Call once a second. */
  onSecond(now: number): void {
    this.transport.onSecond(now);
    this.#updatePlayoutDelay(now);
  }

  #reportPaused(consumers: readonly Consumer[]): void {
    const paused = consumers.filter(({ isPaused }) => isPaused).map(({ downTrack }) => downTrack.parameters.mid);
    if (paused.join() === this.#paused.join()) return;
    this.#paused = paused;
    this.#events.onPaused(paused);
  }

  /** Delays playout until resent packets arrive, unless the viewer set a delay. */
  #updatePlayoutDelay(now: number): void {
    if (this.#options.playoutDelay) return;
    const own = this.transport.playoutDelay.at(now);
    for (const { downTrack, source } of this.#consumers.values()) {
      downTrack.parameters.extensions?.setPlayoutDelay(Math.max(own, source?.playoutDelay.at(now) ?? 0));
    }
  }

  /** The pinned source, else the source without an id, else the first that is live and not excluded. */
  #main(sources: Sources): Source | undefined {
    const { pinnedSourceId, excludedSourceIds } = this.#options;
    const isShown = (source: Source | undefined) =>
      source?.live && !(source.id !== null && excludedSourceIds?.includes(source.id));
    const pinned = pinnedSourceId === undefined ? undefined : sources.get(pinnedSourceId);
    return [pinned, sources.get(null), ...sources.values()].find(isShown);
  }

  #consumerFor({ kind, mediaId }: Projection): Consumer {
    const mid = mediaId ?? this.#mains[kind]?.downTrack.parameters.mid;
    const known = mid === undefined ? undefined : this.#consumers.get(mid);
    if (known?.downTrack.parameters.kind === kind) return known;
    const additional = known || mid === undefined ? undefined : this.#parameters.additionalTrack(kind, mid);
    if (!additional || this.#consumers.size >= MAX_CONSUMERS) return unknownMedia(mid ?? kind);
    return this.#add(additional, 'none');
  }

  #add(parameters: DownTrackParameters, selection: SourceSelection): Consumer {
    const isMain = selection === 'main';
    const choice = isMain && parameters.kind === 'video' ? (this.#options.layer ?? {}) : {};
    const consumer = new Consumer(this.transport.addDownTrack(parameters), selection, choice);
    this.#consumers.set(parameters.mid, consumer);
    if (isMain) this.#mains[parameters.kind] = consumer;
    return consumer;
  }
}

function unknownMedia(mid: string): never {
  throw new MediaError('unknown_media', `the session has no m-line "${mid}" of that kind to send on`);
}
