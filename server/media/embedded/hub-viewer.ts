import {
  MediaError,
  type LayerChoice,
  type Projection,
  type SourceId,
  type TrackKind,
  type ViewOptions,
} from '../media-engine.js';
import { Outlet, type OutletSink, type OutletTerms } from './outlet.js';
import { isRtcp } from './rtp/packet.js';
import { readRtcp, type RtcpMessage } from './rtp/rtcp.js';
import type { Source } from './source.js';
import type { PacketSink } from './transport.js';
import { Reachability } from './reachability.js';
import { ViewerLine, type Shown } from './viewer-line.js';

/** What a viewer's offer and answer agreed on. */
export interface ViewerTerms {
  /** Those of the answer, in its order. */
  readonly lines: readonly OutletTerms[];
  /** What may be sent on an m-line that was not offered: as on the first of its kind. */
  furtherLine(kind: TrackKind, mid: string): OutletTerms | undefined;
}

export type Sources = ReadonlyMap<SourceId, Source>;

/** Per viewer and second: a NACK of 1 kB can ask for 4,000 packets, and whoever writes it pays for none. */
const MOST_RESENDS = 600;
/** Each costs for as long as the viewer stays. */
const MOST_LINES = 64;
const RECENTLY_MS = 1_500;

/** One viewer of a stream: its m-lines, and what it says of how they arrive. */
export class HubViewer implements OutletSink {
  readonly #sink: PacketSink;
  readonly #terms: ViewerTerms;
  readonly #options: ViewOptions;
  readonly #lines = new Map<string, ViewerLine>();
  readonly #mains: Partial<Record<TrackKind, ViewerLine>> = {};
  readonly #reach: Reachability;
  #resendsLeft = MOST_RESENDS;
  #transportSequence = 0;

  constructor(sink: PacketSink, terms: ViewerTerms, options: ViewOptions, onReachable: (reachable: boolean) => void) {
    this.#reach = new Reachability(onReachable);
    this.#sink = sink;
    this.#terms = terms;
    this.#options = options;
    for (const line of terms.lines) this.#add(line, this.#mains[line.kind] ? 'nothing' : 'main');
  }

  send(packet: Buffer): boolean {
    return this.#sink.send(packet);
  }

  number(): number {
    return (this.#transportSequence = (this.#transportSequence + 1) & 0xffff);
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
  expect(sources: Sources, now: number): void {
    const main = this.#main(sources);
    if (main) this.#mains.video?.expect(main, now);
  }

  /** Shows what is to be shown of what there is. */
  arrange(sources: Sources, now: number): void {
    const main = this.#main(sources);
    for (const line of this.#lines.values()) {
      const { shown } = line;
      const source = shown === 'main' ? main : shown === 'nothing' ? undefined : sources.get(shown.sourceId);
      line.arrange(source, undefined, now);
    }
  }

  /** It leaves. */
  end(): void {
    for (const { outlet } of this.#lines.values()) outlet.show(undefined, 0);
  }

  /** Its transport opened: what it was sent before is lost, so what it sees begins anew. */
  open(now: number): void {
    this.#reach.heard(now);
    for (const { outlet } of this.#lines.values()) outlet.wantKeyframe(now);
  }

  /** Acts on what the viewer says, and answers how many packets were sent again. */
  receive(packet: Buffer, now: number): number {
    if (!isRtcp(packet)) return 0;
    this.#reach.heard(now);
    let resent = 0;
    for (const message of readRtcp(packet)) resent += this.#hear(message, now);
    return resent;
  }

  /** To be called once a second. */
  beginSecond(now: number): void {
    this.#resendsLeft = MOST_RESENDS;
    const sent = [...this.#lines.values()].filter(({ outlet }) => now - (outlet.lastAt ?? -Infinity) < RECENTLY_MS);
    const isVideo = ({ outlet }: ViewerLine) => outlet.terms.kind === 'video';
    this.#reach.check(sent.some(isVideo) ? 'video' : sent.length ? 'audio' : 'nothing', now);
  }

  #hear(message: RtcpMessage, now: number): number {
    if (message.type !== 'nack' && message.type !== 'keyframe-request') return 0;
    const outlet = this.#outletOf(message.mediaSsrc);
    if (message.type === 'keyframe-request') outlet?.wantKeyframe(now);
    else if (outlet) {
      const resent = outlet.resend(message.sequenceNumbers, this.#resendsLeft, now);
      this.#resendsLeft -= resent;
      return resent;
    }
    return 0;
  }

  #outletOf(ssrc: number): Outlet | undefined {
    for (const { outlet } of this.#lines.values()) if (outlet.terms.ssrc === ssrc) return outlet;
    return undefined;
  }

  /** The pinned one, else the one without a name, else the first that is live and not excluded. */
  #main(sources: Sources): Source | undefined {
    const { pinnedSourceId, excludedSourceIds } = this.#options;
    const shows = (source: Source | undefined) =>
      source?.live && !(source.id !== null && excludedSourceIds?.includes(source.id));
    const pinned = pinnedSourceId === undefined ? undefined : sources.get(pinnedSourceId);
    return [pinned, sources.get(null), ...sources.values()].find(shows);
  }

  #lineFor({ kind, mediaId }: Projection): ViewerLine {
    const mid = mediaId ?? this.#mains[kind]?.outlet.terms.mid;
    const known = mid === undefined ? undefined : this.#lines.get(mid);
    if (known?.outlet.terms.kind === kind) return known;
    const further = known || mid === undefined ? undefined : this.#terms.furtherLine(kind, mid);
    if (!further || this.#lines.size >= MOST_LINES) return unknownMedia(mid ?? kind);
    return this.#add(further, 'nothing');
  }

  #add(terms: OutletTerms, shown: Shown): ViewerLine {
    const isMain = shown === 'main';
    const choice = isMain && terms.kind === 'video' ? (this.#options.layer ?? {}) : {};
    const line = new ViewerLine(new Outlet(terms, this), shown, choice);
    this.#lines.set(terms.mid, line);
    if (isMain) this.#mains[terms.kind] = line;
    return line;
  }
}

function unknownMedia(mid: string): never {
  throw new MediaError('unknown_media', `the session has no m-line "${mid}" of that kind to send on`);
}
