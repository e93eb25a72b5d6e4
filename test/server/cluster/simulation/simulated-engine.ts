import { MediaError } from '../../../../server/media/engine/media-error.js';
import type {
  ConnectedMedia,
  PublishingSession,
  PublishOptions,
  SentRelay,
} from '../../../../server/media/engine/media-session.js';
import type { SourceId } from '../../../../server/media/engine/media-track.js';
import { FakeEngine } from '../../../support/media/fake-engine.js';
import type { RelayLinks } from './relay-links.js';
import type { SimulatedProcess } from './virtual-time.js';

interface PublishedSource {
  readonly stream: string;
  readonly sourceId: SourceId;
  isLive: boolean;
}

/** The media engine of a simulated server, with relays. */
export class SimulatedEngine extends FakeEngine {
  readonly process: SimulatedProcess;
  /** By session. */
  readonly publishers = new Map<string, PublishedSource>();
  readonly #links: RelayLinks;

  constructor(process: SimulatedProcess, links: RelayLinks) {
    super();
    this.process = process;
    this.#links = links;
    this.on('session-lost', (id) => this.publishers.delete(id));
    this.on('ended', (stream, sourceId) => links.sourceChanged(this, stream, sourceId, false));
  }

  /** Media of the stream can leave this server. The media processes drop what comes after the deadline. */
  sends(stream: string): boolean {
    const { state, monotonicNow } = this.process;
    if (this.publishers.size === 0) return false;
    if (state === 'ended' || monotonicNow() >= this.publishesUntil) return false;
    return this.#has(stream);
  }

  /** The sources of its own publishers that are live. */
  liveSources(stream: string): SourceId[] {
    return [...this.publishers.values()].flatMap((one) => (one.stream === stream && one.isLive ? one.sourceId : []));
  }

  override sendFrame(stream: string, sourceId: SourceId = null): void {
    const source = [...this.publishers.values()].find((one) => one.stream === stream && one.sourceId === sourceId);
    if (!source || source.isLive) return;
    source.isLive = true;
    super.sendFrame(stream, sourceId);
    this.#links.sourceChanged(this, stream, sourceId, true);
  }

  override async publish(stream: string, offer: string, options?: PublishOptions): Promise<PublishingSession> {
    const session = await super.publish(stream, offer, options);
    this.publishers.set(session.id, { stream, sourceId: options?.sourceId ?? null, isLive: false });
    return {
      ...session,
      close: () => {
        this.publishers.delete(session.id);
        session.close();
      },
    };
  }

  canRelay(): boolean {
    return true;
  }

  async receiveRelay(stream: string, exchange: (offer: string) => Promise<string>): Promise<ConnectedMedia> {
    const id = this.#links.offer(this, stream);
    try {
      await exchange(id);
      return await this.#links.connect(id);
    } catch (error) {
      this.#links.giveUp(id);
      throw error;
    }
  }

  async sendRelay(stream: string, offer: string): Promise<SentRelay> {
    if (!this.#has(stream)) throw new MediaError('engine_unavailable', 'there is no publisher');
    return this.#links.answer(offer, this);
  }

  #has(stream: string): boolean {
    for (const publisher of this.publishers.values()) if (publisher.stream === stream) return true;
    return false;
  }
}
