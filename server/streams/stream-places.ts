import type { StreamRegistry } from './stream-registry.js';

export interface StreamPlacesOptions {
  readonly streams: Pick<StreamRegistry, 'elsewhere'>;
  /** The origin at which clients reach this server. Undefined: the host of each request. */
  readonly nodeUrl: string | undefined;
  /** Several servers can be on the database. */
  readonly isShared: boolean;
}

/** Where clients reach a stream: at this server, or at the one that has the stream. */
export class StreamPlaces {
  readonly #streams: Pick<StreamRegistry, 'elsewhere'>;
  readonly nodeUrl: string | undefined;
  /** The origin that grants of this server are for. Undefined: they are for every server. */
  readonly grantNode: string | undefined;

  constructor({ streams, nodeUrl, isShared }: StreamPlacesOptions) {
    this.#streams = streams;
    this.nodeUrl = nodeUrl;
    this.grantNode = isShared ? nodeUrl : undefined;
  }

  /** The origin of another server that has the stream. Undefined: none has, or clients cannot tell it from this one. */
  elsewhere(streamId: string): string | undefined {
    const url = this.#streams.elsewhere(streamId)?.url;
    return url === this.nodeUrl ? undefined : url;
  }
}
