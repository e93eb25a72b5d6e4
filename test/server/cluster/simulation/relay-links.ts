import type { SourceId } from '../../../../server/media/engine/media-track.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import type { ConnectedMedia, SentRelay } from '../../../../server/media/engine/media-session.js';
import type { Chance } from './chance.js';
import type { SimulatedEngine } from './simulated-engine.js';
import type { VirtualTime } from './virtual-time.js';

export interface RelayLink {
  readonly id: string;
  readonly stream: string;
  readonly edge: SimulatedEngine;
  origin: SimulatedEngine | undefined;
  state: 'offered' | 'open';
}

/** A link without packets is lost. */
const SILENT_MS = 4_000;

/** The media between servers. */
export class RelayLinks {
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #links = new Map<string, RelayLink>();
  readonly #isReachable: (from: SimulatedEngine, to: SimulatedEngine) => boolean;
  #count = 0;

  constructor(time: VirtualTime, chance: Chance, isReachable: (from: SimulatedEngine, to: SimulatedEngine) => boolean) {
    this.#time = time;
    this.#chance = chance;
    this.#isReachable = isReachable;
  }

  get open(): readonly RelayLink[] {
    return [...this.#links.values()].filter(({ state }) => state === 'open');
  }

  /** A stream that an edge receives over two links. */
  receivedTwice(): string | undefined {
    if (this.#links.size < 2) return undefined;
    const open = this.open;
    return open.find((link) => open.some((other) => other !== link && isSameWay(other, link)))?.stream;
  }

  offer(edge: SimulatedEngine, stream: string): string {
    const id = `link ${(this.#count += 1)}`;
    this.#links.set(id, { id, stream, edge, origin: undefined, state: 'offered' });
    return id;
  }

  /** The engine that made the offer. */
  edgeOf(id: string): SimulatedEngine | undefined {
    return this.#links.get(id)?.edge;
  }

  answer(id: string, origin: SimulatedEngine): SentRelay {
    const link = this.#links.get(id);
    if (!link) throw new MediaError('engine_unavailable', 'the offer was withdrawn');
    link.origin = origin;
    return { id, answer: `answer to ${id}`, close: () => this.#end(link, 'origin') };
  }

  /** The edge has the answer. */
  async connect(id: string): Promise<ConnectedMedia> {
    const link = this.#links.get(id);
    await this.#time.pause(this.#chance.between(5, 100), link?.edge.process);
    const { origin } = link ?? {};
    if (!link || !origin || !this.#links.has(id) || !this.#isReachable(link.edge, origin)) {
      throw new MediaError('engine_unavailable', 'the link to another server broke');
    }
    link.state = 'open';
    for (const sourceId of origin.liveSources(link.stream)) this.#tell(link, sourceId, true);
    return { id, close: () => this.#end(link, 'edge') };
  }

  giveUp(id: string): void {
    const link = this.#links.get(id);
    if (link) this.#end(link, 'edge');
  }

  sourceChanged(origin: SimulatedEngine, stream: string, sourceId: SourceId, isLive: boolean): void {
    for (const link of this.open) {
      if (link.origin === origin && link.stream === stream) this.#tell(link, sourceId, isLive);
    }
  }

  /** Ends what leads to a server that is gone, or cannot be reached. */
  breakBroken(): void {
    for (const link of this.#links.values()) {
      const { edge, origin } = link;
      if (edge.process.state === 'ended') this.#end(link, 'edge', SILENT_MS);
      else if (origin?.process.state === 'ended') this.#end(link, 'origin', SILENT_MS);
      else if (origin && !this.#isReachable(edge, origin)) {
        this.#end(link, 'edge', SILENT_MS);
        this.#lose(edge, link.id, SILENT_MS);
      }
    }
  }

  #tell(link: RelayLink, sourceId: SourceId, isLive: boolean): void {
    this.#time.after(this.#chance.between(5, 50), link.edge.process, () => {
      if (this.#links.get(link.id) !== link) return;
      if (isLive) link.edge.emit('live', link.stream, sourceId, ['audio', 'video']);
      else link.edge.emit('ended', link.stream, sourceId);
    });
  }

  /** @param by whose end is closed: the other one loses its own */
  #end(link: RelayLink, by: 'edge' | 'origin', withinMs = 50): void {
    if (!this.#links.delete(link.id)) return;
    const other = by === 'edge' ? link.origin : link.edge;
    if (other && (link.state === 'open' || by === 'edge')) this.#lose(other, link.id, withinMs);
  }

  #lose(engine: SimulatedEngine, id: string, withinMs: number): void {
    this.#time.after(this.#chance.between(1, withinMs), engine.process, () => {
      engine.emit('session-lost', id, 'transport_lost');
    });
  }
}

function isSameWay(one: RelayLink, other: RelayLink): boolean {
  return one.edge === other.edge && one.stream === other.stream;
}
