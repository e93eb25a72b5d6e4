import { Emitter } from '../faults/emitter.js';
import { after } from '../faults/timers.js';
import type { LeaseHolder } from '../streams/stream-leases.js';
import type { SourceElsewhere, StreamElsewhere, StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { ClusterStore, KnownNode, Lease, StreamName } from './cluster-store.js';
import { sessionKeyHash } from './session-key-hash.js';
import { namesOf, streamIdOf, type StreamId } from '../streams/stream-id.js';

export interface ClusterStreamsEvents {
  /** Another node got, changed or lost the stream. */
  changed: [streamId: StreamId];
  /** The database has this lease of this node. */
  'own-lease': [lease: Lease];
  /** The database does not have the leases of these sessions any more, so that another node may claim their streams. */
  'own-leases-lost': [sessionIds: readonly string[]];
}

export interface ClusterStreamsOptions {
  readonly nodeId: string;
  readonly store: Pick<ClusterStore, 'leases'>;
  /** The monotonic clock of the machine, in milliseconds. */
  readonly monotonicNow: () => number;
  /** The leases that this node has, as far as it knows. */
  readonly held: () => readonly LeaseHolder[];
}

interface Known extends StreamElsewhere {
  /** Equal for equal leases. */
  readonly signature: string;
}

/** The pause before a failed read of the database is repeated, in ms. */
const RETRY_MS = 1_000;
/** The streams that one statement reads. */
const MAX_READ = 500;

/**
 * The streams of the other nodes, in memory, so that no rule waits for the database. One read runs at a time, and reads
 * all streams that were reported as changed since the one before; so the newest read is always the truth. Only reads
 * of single streams run beside it, while changes may be missed.
 */
export class ClusterStreams extends Emitter<ClusterStreamsEvents> implements StreamsElsewhere {
  readonly #options: ClusterStreamsOptions;
  readonly #byStream = new Map<StreamId, Known>();
  readonly #byAccount = new Map<string, Set<StreamId>>();
  readonly #changed = new Set<StreamId>();
  #readsAll = false;
  #listening = false;
  /** Incremented whenever a change may have been missed. */
  #gaps = 0;
  #inSync = false;
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ClusterStreamsOptions) {
    super('cluster');
    this.#options = options;
  }

  find(streamId: StreamId): StreamElsewhere | undefined {
    return this.#byStream.get(streamId);
  }

  ofAccount(accountId: string): readonly StreamElsewhere[] {
    return [...(this.#byAccount.get(accountId) ?? [])].flatMap((streamId) => this.#byStream.get(streamId) ?? []);
  }

  refreshIfStale(streamId: StreamId): Promise<void> | undefined {
    return this.#inSync ? undefined : this.#refresh(streamId);
  }

  /** Reads all streams. Call when changes are reported from now on. @throws {ApiError} the database does not answer */
  async start(): Promise<void> {
    this.#listening = true;
    await this.#readAll();
  }

  /** The leases of a stream changed. */
  streamChanged({ accountId, streamName }: StreamName): void {
    this.#changed.add(streamIdOf(accountId, streamName));
    this.#read();
  }

  /** Changes may be missed until `restored`. */
  lost(): void {
    this.#listening = false;
    this.#missedChange();
  }

  restored(): void {
    this.#listening = true;
    this.readAgain();
  }

  /** Reads all streams again, soon. */
  readAgain(): void {
    this.#readsAll = true;
    this.#read();
  }

  /** Reads the streams of nodes that are lost again: no trigger reports that their leases have expired. */
  expire(nodes: readonly KnownNode[]): void {
    const alive = new Set(nodes.flatMap(({ id, isAlive }) => (isAlive ? id : [])));
    for (const { streamId, node } of this.#byStream.values()) if (!alive.has(node.id)) this.#changed.add(streamId);
    if (this.#changed.size > 0) this.#read();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#reading;
    clearTimeout(this.#retry);
  }

  #missedChange(): void {
    this.#gaps += 1;
    this.#inSync = false;
  }

  #read(): void {
    if (this.#closed) return;
    this.#reading ??= this.#readWhileChanged()
      .catch(() => {
        this.#missedChange();
        clearTimeout(this.#retry);
        this.#retry = after('cluster', RETRY_MS, () => this.readAgain());
        this.#retry.unref();
      })
      .finally(() => (this.#reading = undefined));
  }

  async #readWhileChanged(): Promise<void> {
    // What is reported in the same turn of the event loop is read together.
    await Promise.resolve();
    while (!this.#closed && (this.#readsAll || this.#changed.size > 0)) {
      if (this.#readsAll) await this.#readAll();
      else await this.#readChanged();
    }
  }

  async #readAll(): Promise<void> {
    const gaps = this.#gaps;
    this.#readsAll = false;
    this.#changed.clear();
    const leases = await this.#leases();
    this.#replace([...this.#byStream.keys(), ...leases.map(leasedStream)], leases);
    this.#inSync = this.#listening && gaps === this.#gaps;
  }

  async #readChanged(): Promise<void> {
    const streamIds = [...this.#changed].slice(0, MAX_READ);
    for (const streamId of streamIds) this.#changed.delete(streamId);
    this.#replace(streamIds, await this.#leases(streamIds));
  }

  /**
   * Reads the leases of some streams, or of all. A database that has failed over to a replica may not have what it
   * acknowledged before.
   */
  async #leases(streamIds?: readonly StreamId[]): Promise<readonly Lease[]> {
    const { store, nodeId, held } = this.#options;
    const before = held();
    const leases = await store.leases(streamIds?.map(namesOf));
    const stored = new Set(leases.flatMap(({ node, sessionId }) => (node.id === nodeId ? sessionId : [])));
    const still = new Set(held().map(({ sessionId }) => sessionId));
    const lost = before.filter(
      ({ streamId, sessionId }) =>
        !stored.has(sessionId) && still.has(sessionId) && (streamIds?.includes(streamId) ?? true),
    );
    if (lost.length > 0)
      this.emit(
        'own-leases-lost',
        lost.map(({ sessionId }) => sessionId),
      );
    return leases;
  }

  async #refresh(streamId: StreamId): Promise<void> {
    const leases = await this.#leases([streamId]);
    // If everything was read meanwhile, this may be what was true before.
    if (!this.#inSync) this.#replace([streamId], leases);
  }

  /** @param leases all valid leases of these streams */
  #replace(streamIds: readonly StreamId[], leases: readonly Lease[]): void {
    const { nodeId } = this.#options;
    const others = new Map<StreamId, Lease[]>();
    for (const lease of leases) {
      if (lease.node.id === nodeId) {
        this.emit('own-lease', lease);
        continue;
      }
      const ofStream = others.get(leasedStream(lease));
      if (ofStream) ofStream.push(lease);
      else others.set(leasedStream(lease), [lease]);
    }
    for (const streamId of new Set(streamIds)) this.#put(streamId, others.get(streamId) ?? []);
  }

  #put(streamId: StreamId, leases: readonly Lease[]): void {
    const signature = JSON.stringify(leases.map(({ keptForMs, ...lease }) => [lease, keptForMs !== null]));
    const known = this.#byStream.get(streamId);
    if (known ? known.signature === signature : leases.length === 0) return;
    const { accountId } = namesOf(streamId);
    const [first] = leases;
    if (first) {
      this.#byStream.set(streamId, this.#knownStream(streamId, first, leases, signature));
      const ofAccount = this.#byAccount.get(accountId);
      if (ofAccount) ofAccount.add(streamId);
      else this.#byAccount.set(accountId, new Set([streamId]));
    } else {
      this.#byStream.delete(streamId);
      this.#byAccount.get(accountId)?.delete(streamId);
      if (this.#byAccount.get(accountId)?.size === 0) this.#byAccount.delete(accountId);
    }
    this.emit('changed', streamId);
  }

  #knownStream(streamId: StreamId, { node }: Lease, leases: readonly Lease[], signature: string): Known {
    const liveSince = leases.flatMap(({ liveOn }) => liveOn ?? []);
    return {
      streamId,
      signature,
      node: { id: node.id, epoch: node.epoch },
      url: node.url,
      live: liveSince.length > 0,
      liveSince: liveSince.length > 0 ? Math.min(...liveSince) : undefined,
      publishers: leases.map(({ tokenId }) => ({ tokenId })),
      sources: leases.map((lease) => this.#source(lease)),
    };
  }

  #source({ sourceId, sessionId, tokenId, liveOn, keptForMs, sessionKeyHash: keyHash }: Lease): SourceElsewhere {
    const { monotonicNow } = this.#options;
    const freeAt = keptForMs === null ? undefined : monotonicNow() + keptForMs;
    return {
      sourceId,
      sessionId,
      tokenId,
      liveSince: liveOn ?? undefined,
      get freeInMs() {
        return freeAt === undefined ? undefined : Math.max(0, freeAt - monotonicNow());
      },
      isOf: (sessionKey) => sessionKeyHash(sessionKey) === keyHash,
    };
  }
}

function leasedStream({ accountId, streamName }: Lease): StreamId {
  return streamIdOf(accountId, streamName);
}
