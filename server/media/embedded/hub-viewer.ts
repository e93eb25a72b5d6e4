import {
  MediaError,
  type LayerChoice,
  type Projection,
  type SourceId,
  type TrackKind,
  type ViewOptions,
} from '../media-engine.js';
import type { OutletTerms } from './outlet.js';
import type { Source } from './source.js';
import type { PacketSink } from './transport.js';
import { ViewerLine, type Shown } from './viewer-line.js';
import { ViewerLink } from './viewer-link.js';
import type { ViewerTerms } from './viewer-terms.js';

export type Sources = ReadonlyMap<SourceId, Source>;

/** Each costs for as long as the viewer stays. */
const MOST_LINES = 64;
const LEAST_REARRANGING_MS = 200;

/** One viewer of a stream: what is shown on each of its m-lines, as far as its network carries it. */
export class HubViewer {
  readonly link: ViewerLink;
  readonly #terms: ViewerTerms;
  readonly #options: ViewOptions;
  readonly #lines = new Map<string, ViewerLine>();
  readonly #mains: Partial<Record<TrackKind, ViewerLine>> = {};
  #arrangedAt = -Infinity;
  /** What is sent, going by the last second. */
  #bitrate = 0;

  constructor(sink: PacketSink, terms: ViewerTerms, options: ViewOptions, onReachable: (reachable: boolean) => void) {
    this.link = new ViewerLink(sink, terms, onReachable);
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
    const { available } = this.link;
    const lines = [...this.#lines.values()];
    const isSound = ({ outlet }: ViewerLine) => outlet.terms.kind === 'audio';
    for (const line of [...lines.filter(isSound), ...lines.filter((line) => !isSound(line))]) {
      const { shown } = line;
      const source = shown === 'main' ? main : shown === 'nothing' ? undefined : sources.get(shown.sourceId);
      const left = available === undefined ? undefined : available - this.#bitrate;
      const bitrate = line.arrange(source, left, now);
      this.#bitrate += bitrate;
      wanted += line.aim ?? bitrate;
    }
    if (wanted > this.#bitrate) this.link.tryOut(wanted, now);
  }

  /** Whether more is sent than the network carries, as it seems by now. */
  isOverloaded(now: number): boolean {
    const { available = Infinity } = this.link;
    return this.#bitrate > available && now - this.#arrangedAt >= LEAST_REARRANGING_MS;
  }

  /** It leaves. */
  end(): void {
    for (const { outlet } of this.#lines.values()) outlet.show(undefined, 0);
  }

  /** To be called once a second. */
  beginSecond(now: number): void {
    this.link.beginSecond(now);
    this.#holdBack(now);
  }

  /** Has pictures wait for what is sent again, unless the viewer said how long they are to wait. */
  #holdBack(now: number): void {
    if (this.#options.playoutDelay) return;
    const own = this.link.hold.at(now);
    for (const { outlet, source } of this.#lines.values()) {
      outlet.terms.extensions?.holdBack(Math.max(own, source?.hold.at(now) ?? 0));
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
    const line = new ViewerLine(this.link.addOutlet(terms), shown, choice);
    this.#lines.set(terms.mid, line);
    if (isMain) this.#mains[terms.kind] = line;
    return line;
  }
}

function unknownMedia(mid: string): never {
  throw new MediaError('unknown_media', `the session has no m-line "${mid}" of that kind to send on`);
}
