import type { StreamRegistry } from './stream-registry.js';
import type { StreamId } from './stream-id.js';

/** The streams of other servers that viewers can watch here. */
export interface RelayedStreams {
  /** Whether viewers of a stream that another server has stay here. */
  serves(streamId: StreamId): boolean;
  /** A viewer of such a stream is about to connect. */
  prepare(streamId: StreamId): void;
}

/** Of a server whose viewers all go to the server that has their stream. */
export const NO_RELAYED_STREAMS: RelayedStreams = Object.freeze({ serves: () => false, prepare() {} });

export interface StreamPlacesOptions {
  readonly streams: Pick<StreamRegistry, 'elsewhere'>;
  /** The origin at which clients reach this server. Undefined: the host of each request. */
  readonly nodeUrl: string | undefined;
  /** Several servers can be on the database. */
  readonly isShared: boolean;
  readonly relayed: RelayedStreams;
}

/** Where clients reach a stream: at this server, or at the one that has the stream. */
export class StreamPlaces {
  readonly #streams: Pick<StreamRegistry, 'elsewhere'>;
  readonly #relayed: RelayedStreams;
  readonly nodeUrl: string | undefined;
  /** The origin that grants of this server are for. Undefined: they are for every server. */
  readonly grantNode: string | undefined;

  constructor({ streams, nodeUrl, isShared, relayed }: StreamPlacesOptions) {
    this.#streams = streams;
    this.#relayed = relayed;
    this.nodeUrl = nodeUrl;
    this.grantNode = isShared ? nodeUrl : undefined;
  }

  /** The origin of another server that has the stream. Undefined: none has, or clients cannot tell it from this one. */
  elsewhere(streamId: StreamId): string | undefined {
    const url = this.#streams.elsewhere(streamId)?.url;
    return url === this.nodeUrl ? undefined : url;
  }

  /** As `elsewhere`, for viewers: they may stay here, and be sent what comes from the other server. */
  elsewhereForViewers(streamId: StreamId): string | undefined {
    const origin = this.elsewhere(streamId);
    return origin === undefined || this.#relayed.serves(streamId) ? undefined : origin;
  }

  /** Where a client of this role is to connect. A viewer who is to connect here does so in a moment. */
  placeOf(role: 'Publish' | 'Subscribe', streamId: StreamId): string | undefined {
    const origin = this.elsewhere(streamId);
    if (origin === undefined || role === 'Publish' || !this.#relayed.serves(streamId)) return origin;
    this.#relayed.prepare(streamId);
    return undefined;
  }
}
