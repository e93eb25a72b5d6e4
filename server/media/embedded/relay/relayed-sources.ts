import { DescribedSource, RelayedSource, type FedPacket } from '../producer/fed-source.js';
import type { Router } from '../stream/router.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayLink } from './relay-link.js';

export interface RelayedSourcesOptions {
  readonly router: Router;
  /** The link comes from another server: this worker is the home of the stream on this server. */
  readonly isHome?: boolean;
}

/** The sources of a stream that come over a link, in the router of the stream. */
export class RelayedSources {
  readonly #options: RelayedSourcesOptions;
  /** By their number at the other end. */
  readonly #sources = new Map<number, RelayedSource | DescribedSource>();

  constructor(options: RelayedSourcesOptions) {
    this.#options = options;
  }

  onMessage(link: RelayLink, message: RelayMessage): void {
    switch (message.type) {
      case 'source':
        return this.#add(link, message);
      case 'ended':
        return this.#end(message.source);
      case 'described': {
        const source = this.#sources.get(message.source);
        if (source instanceof DescribedSource) source.describe(message.description, performance.now());
        return;
      }
      case 'in-vain':
        return this.#sources.get(message.source)?.keepGroup(message.encoding);
      case 'clock':
        this.#sources.get(message.source)?.onSenderReport(message.encoding, message.report, performance.now());
    }
  }

  onPacket(source: number, encoding: number, packet: FedPacket, now: number): void {
    this.#sources.get(source)?.deliver(encoding, packet, now);
  }

  endAll(): void {
    for (const number of this.#sources.keys()) this.#end(number);
  }

  #add(link: RelayLink, { source: number, id, tracks, isDescribed }: Extract<RelayMessage, { type: 'source' }>): void {
    const { router, isHome = false } = this.#options;
    // A publisher of this server has taken the source over, and the end of it is on its way.
    if (isHome && router.has(id)) return;
    const options = {
      id,
      tracks,
      events: router.sourceEvents,
      onKeyframeRequest: (encoding: number, urgency: 'urgent' | 'patient') =>
        link.send({ type: 'keyframe', source: number, encoding, urgency }),
    };
    const onWanted = (encodings: readonly number[]) => link.send({ type: 'want', source: number, encodings });
    const source = isDescribed
      ? new DescribedSource({ ...options, onWanted }, { isRelayed: !isHome })
      : new RelayedSource(options);
    this.#sources.set(number, source);
    router.addSource(source);
  }

  #end(number: number): void {
    const source = this.#sources.get(number);
    this.#sources.delete(number);
    if (source) this.#options.router.removeSource(source, performance.now());
  }
}
