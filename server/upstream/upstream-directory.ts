import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { namesOf, streamIdOf } from '../streams/stream-id.js';
import type { UpstreamStore } from './upstream-store.js';
import { addressesOf, isReadable, type StoredUpstream, type UpstreamTarget } from './upstream.js';

export interface UpstreamDirectoryEvents {
  /** Some streams have another upstream now, or none, or one for the first time: those of which `moved` is true. */
  changed: [moved: (streamId: string) => boolean];
}

type ByKey = ReadonlyMap<string, StoredUpstream>;

/** All upstreams in memory, because each session that opens asks for one. */
export class UpstreamDirectory extends EventEmitter<UpstreamDirectoryEvents> {
  readonly #store: Pick<UpstreamStore, 'all'>;
  #upstreams: ByKey = new Map();

  constructor(store: Pick<UpstreamStore, 'all'>) {
    super();
    this.#store = store;
  }

  /** The upstream of a stream, `account/name`. Undefined: this server carries it. */
  find(streamId: string): StoredUpstream | undefined {
    return findIn(this.#upstreams, streamId);
  }

  /**
   * Undefined: this server carries the stream, or its name cannot be used at the upstream. `unreadable`: nobody carries
   * it, because its owner wants its media elsewhere, and the server does not know where.
   */
  targetOf(streamId: string): UpstreamTarget | 'unreadable' | undefined {
    const upstream = this.find(streamId);
    if (upstream && !isReadable(upstream)) return 'unreadable';
    const addresses = upstream && addressesOf(upstream, ...namesOf(streamId));
    return addresses && { upstream, addresses };
  }

  /** Reads what is stored: other servers and the command line change it too. */
  async refresh(): Promise<void> {
    const before = this.#upstreams;
    const stored = await this.#store.all();
    const after = new Map(stored.map((upstream) => [keyOf(upstream.accountId, upstream.streamName), upstream]));
    if (isDeepStrictEqual(before, after)) return;
    this.#upstreams = after;
    this.emit('changed', (streamId) => !isSame(findIn(before, streamId), findIn(after, streamId)));
  }
}

function findIn(upstreams: ByKey, streamId: string): StoredUpstream | undefined {
  // Nearly all servers have none.
  if (upstreams.size === 0) return undefined;
  const [accountId] = namesOf(streamId);
  return upstreams.get(streamId) ?? upstreams.get(keyOf(accountId, null));
}

/** The id of the stream. Of the account: that of a stream without a name, which there is not. */
function keyOf(accountId: string, streamName: string | null): string {
  return streamIdOf(accountId, streamName ?? '');
}

function isSame(one: StoredUpstream | undefined, other: StoredUpstream | undefined): boolean {
  return isDeepStrictEqual(one && { ...one, updatedOn: 0 }, other && { ...other, updatedOn: 0 });
}
