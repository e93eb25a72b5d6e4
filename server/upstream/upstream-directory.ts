import { isDeepStrictEqual } from 'node:util';
import { Emitter } from '../faults/emitter.js';
import { namesOf, readStreamId, streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { UpstreamStore } from './upstream-store.js';
import { addressesOf, isReadable, type StoredUpstream, type UpstreamTarget } from './upstream.js';

export interface UpstreamDirectoryEvents {
  /** Some streams have another upstream now, or none, or one for the first time: those of which `moved` is true. */
  changed: [moved: (streamId: StreamId) => boolean];
}

type ByKey = ReadonlyMap<string, StoredUpstream>;

/** All upstreams in memory, because each session that opens asks for one. */
export class UpstreamDirectory extends Emitter<UpstreamDirectoryEvents> {
  readonly #store: Pick<UpstreamStore, 'all'>;
  #upstreams: ByKey = new Map();

  constructor(store: Pick<UpstreamStore, 'all'>) {
    super('upstream');
    this.#store = store;
  }

  /** The upstream of a stream, by the key that media engines have of it. Undefined: this server carries it. */
  find(stream: string): StoredUpstream | undefined {
    // Nearly all servers have none.
    const streamId = this.#upstreams.size > 0 ? readStreamId(stream) : undefined;
    return streamId && findIn(this.#upstreams, streamId);
  }

  /**
   * Undefined: this server carries the stream, or its name cannot be used at the upstream. `unreadable`: nobody carries
   * it, because its owner wants its media elsewhere, and the server does not know where.
   */
  targetOf(stream: string): UpstreamTarget | 'unreadable' | undefined {
    const upstream = this.find(stream);
    if (upstream && !isReadable(upstream)) return 'unreadable';
    const streamId = readStreamId(stream);
    const addresses = upstream && streamId && addressesOf(upstream, namesOf(streamId));
    return addresses && { upstream, addresses };
  }

  /** Reads what is stored: other servers and the command line change it too. */
  async refresh(): Promise<void> {
    const before = this.#upstreams;
    const stored = await this.#store.all();
    const after = new Map(stored.map((upstream) => [keyOf(upstream), upstream]));
    if (isDeepStrictEqual(before, after)) return;
    this.#upstreams = after;
    this.emit('changed', (streamId) => !isSame(findIn(before, streamId), findIn(after, streamId)));
  }
}

function findIn(upstreams: ByKey, streamId: StreamId): StoredUpstream | undefined {
  return upstreams.get(streamId) ?? upstreams.get(namesOf(streamId).accountId);
}

/** The id of the stream, or of the account for all its other streams: that has no slash. */
function keyOf({ accountId, streamName }: StoredUpstream): string {
  return streamName === null ? accountId : streamIdOf(accountId, streamName);
}

function isSame(one: StoredUpstream | undefined, other: StoredUpstream | undefined): boolean {
  return isDeepStrictEqual(one && { ...one, updatedOn: 0 }, other && { ...other, updatedOn: 0 });
}
