import {
  MediaError,
  type LayerChoice,
  type Projection,
  type SourceId,
  type TrackKind,
  type ViewOptions,
} from '../media-engine.js';
import { BandwidthEstimate } from './congestion/bandwidth-estimate.js';
import { PlayoutHold } from './congestion/playout-hold.js';
import { Outlet, type OutletSink, type OutletTerms } from './outlet.js';
import { isRtcp } from './rtp/packet.js';
import { readRtcp, type RtcpMessage } from './rtp/rtcp.js';
import { readTransportFeedback } from './rtp/transport-feedback.js';
import type { Source } from './source.js';
import type { PacketSink } from './transport.js';
import { Reachability } from './reachability.js';
import { ViewerLine, type Shown } from './viewer-line.js';

/** What a viewer's offer and answer agreed on. */
export interface ViewerTerms {
  /** Those of the answer, in its order. */
  readonly lines: readonly OutletTerms[];
  /** Whether the viewer has agreed to tell what its network carries. */
  readonly tellsCongestion: boolean;
  /** What may be sent on an m-line that was not offered: as on the first of its kind. */
  furtherLine(kind: TrackKind, mid: string): OutletTerms | undefined;
}

export type Sources = ReadonlyMap<SourceId, Source>;

/** Per viewer and second: a NACK of 1 kB can ask for 4,000 packets, and whoever writes it pays for none. */
const MOST_RESENDS = 600;
/** Likewise: a report of 24 bytes can tell of 4,096 packets that did not come. Players report some twenty times. */
const MOST_FEEDBACKS = 200;
/** Each costs for as long as the viewer stays. */
const MOST_LINES = 64;
const RECENTLY_MS = 1_500;
const LEAST_REARRANGING_MS = 200;

/** One viewer of a stream: its m-lines, and what it says of how they arrive. */
export class HubViewer implements OutletSink {
  readonly #sink: PacketSink;
  readonly #terms: ViewerTerms;
  readonly #options: ViewOptions;
  readonly #lines = new Map<string, ViewerLine>();
  readonly #mains: Partial<Record<TrackKind, ViewerLine>> = {};
  readonly #reach: Reachability;
  #resendsLeft = MOST_RESENDS;
  #feedbacksLeft = MOST_FEEDBACKS;
  readonly #estimate = new BandwidthEstimate();
  /** Whether the viewer reports on packets by their numbers. */
  readonly #isNumbered: boolean;
  /** Whether the viewer says anything that the estimate goes by. */
  #estimated: boolean;
  /** How late packets come that were lost on their way to the viewer. */
  readonly #hold = new PlayoutHold();
  #arrangedAt = -Infinity;
  /** What is sent, going by the last second. */
  #bitrate = 0;

  constructor(sink: PacketSink, terms: ViewerTerms, options: ViewOptions, onReachable: (reachable: boolean) => void) {
    this.#reach = new Reachability(onReachable);
    this.#sink = sink;
    this.#terms = terms;
    this.#options = options;
    this.#estimated = terms.tellsCongestion;
    this.#isNumbered = terms.lines.some(({ extensions }) => extensions?.numbered);
    for (const line of terms.lines) this.#add(line, this.#mains[line.kind] ? 'nothing' : 'main');
  }

  send(packet: Buffer): boolean {
    return this.#sink.send(packet);
  }

  number(bytes: number, now: number): number {
    return this.#isNumbered ? this.#estimate.sent(bytes, now) : this.#estimate.sentUnnumbered(bytes);
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

  /** Shows what is to be shown of what there is, as far as the viewer's network carries it: sound first. */
  arrange(sources: Sources, now: number): void {
    this.#arrangedAt = now;
    this.#bitrate = 0;
    let wanted = 0;
    const main = this.#main(sources);
    const lines = [...this.#lines.values()];
    const isSound = ({ outlet }: ViewerLine) => outlet.terms.kind === 'audio';
    for (const line of [...lines.filter(isSound), ...lines.filter((line) => !isSound(line))]) {
      const { shown } = line;
      const source = shown === 'main' ? main : shown === 'nothing' ? undefined : sources.get(shown.sourceId);
      const available = this.#estimated ? this.#estimate.bitsPerSecond - this.#bitrate : undefined;
      const bitrate = line.arrange(source, available, now);
      this.#bitrate += bitrate;
      wanted += line.aim ?? bitrate;
    }
    if (wanted > this.#bitrate && this.#filling) this.#estimate.probe(wanted, now);
  }

  /** Whether `probe` is to be called. */
  isProbing(now: number): boolean {
    return this.#estimate.isProbing(now);
  }

  /** Sends more than there is, to learn whether its network carries something better. */
  probe(now: number): void {
    const owed = this.#estimate.owed(now);
    if (owed > 0) this.#filling?.fill(owed, now);
  }

  /** Whether more is sent than the network carries, as it seems by now. */
  isOverloaded(now: number): boolean {
    return (
      this.#estimated && this.#bitrate > this.#estimate.bitsPerSecond && now - this.#arrangedAt >= LEAST_REARRANGING_MS
    );
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
    this.#feedbacksLeft = MOST_FEEDBACKS;
    this.#estimate.tick(now);
    this.#holdBack(now);
    const sent = [...this.#lines.values()].filter(({ outlet }) => now - (outlet.lastAt ?? -Infinity) < RECENTLY_MS);
    const isVideo = ({ outlet }: ViewerLine) => outlet.terms.kind === 'video';
    this.#reach.check(sent.some(isVideo) ? 'video' : sent.length ? 'audio' : 'nothing', now);
  }

  #hear(message: RtcpMessage, now: number): number {
    switch (message.type) {
      case 'nack':
        return this.#resend(message.mediaSsrc, message.sequenceNumbers, now);
      case 'keyframe-request':
        this.#outletOf(message.mediaSsrc)?.wantKeyframe(now);
        return 0;
      case 'transport-feedback': {
        if (--this.#feedbacksLeft < 0) return 0;
        const feedback = readTransportFeedback(message.packet);
        if (feedback) this.#estimate.hearFeedback(feedback, now);
        return 0;
      }
      case 'maximum-bitrate':
        this.#estimated = true;
        this.#estimate.hearMaximum(message.bitsPerSecond, now);
        return 0;
      case 'receiver-report':
        for (const report of message.reports) {
          const outlet = this.#outletOf(report.ssrc);
          if (outlet?.terms.kind !== 'video') continue;
          this.#estimated = true;
          this.#estimate.hearLoss(report.fractionLost / 256, now);
          this.#estimate.hearRoundTrip(outlet.roundTrip(report, now), now);
        }
        return 0;
      default:
        return 0;
    }
  }

  #resend(ssrc: number, sequenceNumbers: readonly number[], now: number): number {
    const resent = this.#outletOf(ssrc)?.resend(sequenceNumbers, this.#resendsLeft, now) ?? 0;
    this.#resendsLeft -= resent;
    const { roundTrip } = this.#estimate;
    if (resent && roundTrip !== undefined) this.#hold.note(roundTrip, now);
    return resent;
  }

  /** Has pictures wait for what is sent again, unless the viewer said how long they are to wait. */
  #holdBack(now: number): void {
    if (this.#options.playoutDelay) return;
    const own = this.#hold.at(now);
    for (const { outlet, source } of this.#lines.values()) {
      outlet.terms.extensions?.holdBack(Math.max(own, source?.hold.at(now) ?? 0));
    }
  }

  get #filling(): Outlet | undefined {
    for (const { outlet } of this.#lines.values()) if (outlet.canFill) return outlet;
    return undefined;
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
