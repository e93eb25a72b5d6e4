import {
  MediaError,
  type LayerChoice,
  type Projection,
  type SourceId,
  type TrackKind,
  type ViewOptions,
} from '../../media-engine.js';
import type { DownTrackParameters } from './down-track.js';
import type { Source } from '../producer/source.js';
import type { PacketSink } from '../transport/webrtc-transport.js';
import { Consumer, type Shown } from './consumer.js';
import { SubscriberTransport } from './subscriber-transport.js';
import type { SubscriberParameters } from './subscriber-parameters.js';

export type Sources = ReadonlyMap<SourceId, Source>;

/** Each costs for as long as the viewer stays. */
const MOST_LINES = 64;
const LEAST_REARRANGING_MS = 200;

/** One viewer of a stream: what is shown on each of its m-lines, as far as its network carries it. */
export class Subscriber {
  readonly transport: SubscriberTransport;
  readonly #terms: SubscriberParameters;
  readonly #options: ViewOptions;
  readonly #lines = new Map<string, Consumer>();
  readonly #mains: Partial<Record<TrackKind, Consumer>> = {};
  #arrangedAt = -Infinity;
  /** What is sent, going by the last second. */
  #bitrate = 0;

  constructor(
    sink: PacketSink,
    terms: SubscriberParameters,
    options: ViewOptions,
    onReachable: (reachable: boolean) => void,
  ) {
    this.transport = new SubscriberTransport(sink, terms, onReachable);
    this.#terms = terms;
    this.#options = options;
    for (const line of terms.lines) this.#add(line, this.#mains[line.kind] ? 'nothing' : 'main');
  }

  select(choice: LayerChoice): void {
    this.#mains.video?.choose(choice);
  }

  /** @throws {MediaError} `unknown_media`, and then nothing has changed */
  project(sourceId: SourceId, projections: readonly Projection[]): void {
    const lines = projections.map((projection) => ({ projection, line: this.#lineFor(projection) }));
    for (const { projection, line } of lines) {
      line.show({ sourceId });
      if (projection.layer || line !== this.#mains.video) line.choose(projection.layer ?? {});
    }
  }

  /** @throws {MediaError} `unknown_media`, and then nothing has changed */
  unproject(mediaIds: readonly string[]): void {
    const lines = mediaIds.map((mid) => this.#lines.get(mid) ?? unknownMedia(mid));
    for (const line of lines) line.show('nothing');
  }

  /** It is about to open. */
  prepare(sources: Sources, now: number): void {
    const main = this.#main(sources);
    if (main) this.#mains.video?.prepare(main, now);
  }

  /** Shows what is to be shown of what there is, as far as the viewer's network carries it: sound first. */
  update(sources: Sources, now: number): void {
    this.#arrangedAt = now;
    this.#bitrate = 0;
    let wanted = 0;
    const main = this.#main(sources);
    const { availableBitrate } = this.transport;
    const lines = [...this.#lines.values()];
    const isSound = ({ downTrack }: Consumer) => downTrack.parameters.kind === 'audio';
    for (const line of [...lines.filter(isSound), ...lines.filter((line) => !isSound(line))]) {
      const { shown } = line;
      const source = shown === 'main' ? main : shown === 'nothing' ? undefined : sources.get(shown.sourceId);
      const left = availableBitrate === undefined ? undefined : availableBitrate - this.#bitrate;
      const bitrate = line.update(source, left, now);
      this.#bitrate += bitrate;
      wanted += line.desiredBitrate ?? bitrate;
    }
    if (wanted > this.#bitrate) this.transport.startProbe(wanted, now);
  }

  /** Whether more is sent than the network carries, as it seems by now. */
  isOverloaded(now: number): boolean {
    const { availableBitrate = Infinity } = this.transport;
    return this.#bitrate > availableBitrate && now - this.#arrangedAt >= LEAST_REARRANGING_MS;
  }

  /** It leaves. */
  close(): void {
    for (const { downTrack } of this.#lines.values()) downTrack.show(undefined, 0);
  }

  /** To be called once a second. */
  onSecond(now: number): void {
    this.transport.onSecond(now);
    this.#holdBack(now);
  }

  /** Has pictures wait for what is sent again, unless the viewer said how long they are to wait. */
  #holdBack(now: number): void {
    if (this.#options.playoutDelay) return;
    const own = this.transport.playoutDelay.at(now);
    for (const { downTrack, source } of this.#lines.values()) {
      downTrack.parameters.extensions?.setPlayoutDelay(Math.max(own, source?.playoutDelay.at(now) ?? 0));
    }
  }

  /** The pinned one, else the one without a name, else the first that is live and not excluded. */
  #main(sources: Sources): Source | undefined {
    const { pinnedSourceId, excludedSourceIds } = this.#options;
    const shows = (source: Source | undefined) =>
      source?.live && !(source.id !== null && excludedSourceIds?.includes(source.id));
    const pinned = pinnedSourceId === undefined ? undefined : sources.get(pinnedSourceId);
    return [pinned, sources.get(null), ...sources.values()].find(shows);
  }

  #lineFor({ kind, mediaId }: Projection): Consumer {
    const mid = mediaId ?? this.#mains[kind]?.downTrack.parameters.mid;
    const known = mid === undefined ? undefined : this.#lines.get(mid);
    if (known?.downTrack.parameters.kind === kind) return known;
    const further = known || mid === undefined ? undefined : this.#terms.furtherLine(kind, mid);
    if (!further || this.#lines.size >= MOST_LINES) return unknownMedia(mid ?? kind);
    return this.#add(further, 'nothing');
  }

  #add(terms: DownTrackParameters, shown: Shown): Consumer {
    const isMain = shown === 'main';
    const choice = isMain && terms.kind === 'video' ? (this.#options.layer ?? {}) : {};
    const line = new Consumer(this.transport.addDownTrack(terms), shown, choice);
    this.#lines.set(terms.mid, line);
    if (isMain) this.#mains[terms.kind] = line;
    return line;
  }
}

function unknownMedia(mid: string): never {
  throw new MediaError('unknown_media', `the session has no m-line "${mid}" of that kind to send on`);
}
