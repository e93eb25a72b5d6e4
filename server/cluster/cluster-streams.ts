import { Emitter } from '../faults/emitter.js';
import { reportFault } from '../faults/fault.js';
import { after } from '../faults/timers.js';
import { DeclaredEnds, type DeclaredEnd } from '../streams/declared-ends.js';
import { namesOf, streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { LeaseHolder } from '../streams/stream-leases.js';
import type { StreamElsewhere, StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { ClusterStore, KnownNode, Lease, StreamEnd, StreamName } from './cluster-store.js';
import { knownStream, type KnownStream } from './known-stream.js';

export interface ClusterStreamsEvents {
  /** Another node got, changed or lost the stream; or what is known of its end changed. */
  changed: [streamId: StreamId];
  /** The database has this lease of this node. */
  'own-lease': [lease: Lease];
  /** The database does not have the leases of these sessions any more, so that another node may claim their streams. */
  'own-leases-lost': [sessionIds: readonly string[]];
}

export interface ClusterStreamsOptions {
  readonly nodeId: string;
  readonly store: Pick<ClusterStore, 'leases' | 'ends'>;
  /** The monotonic clock of the machine, in milliseconds. */
  readonly monotonicNow: () => number;
  /** Milliseconds since 1970, on every node the same. */
  readonly now: () => number;
  /** The leases that this node has, as far as it knows. Each is the same object for as long as it is held. */
  readonly held: () => readonly LeaseHolder[];
}

/** The pause before a failed read of the database is repeated, in ms. */
const RETRY_MS = 1_000;
/** The streams that one statement reads. */
const MAX_READ = 500;

/**
 * What follows each event in each state of the memory. What is not here cannot happen. Nothing follows `closed`.
 * - `deaf`: changes may be missed
 * - `behind`: changes are reported, but not everything that was missed before is read
 * - `catching_up`: a read of everything is on its way, and no change was missed since it began
 * - `current`: every change was read, or is about to be
 */
const EDGES = {
  deaf: { lost: 'deaf', restored: 'behind', reading: 'deaf', read: 'deaf', failed: 'deaf' },
  behind: { lost: 'deaf', restored: 'behind', reading: 'catching_up', read: 'behind', failed: 'behind' },
  catching_up: { lost: 'deaf', restored: 'behind', read: 'current', failed: 'behind' },
  current: { lost: 'deaf', restored: 'behind', reading: 'current', read: 'current', failed: 'behind' },
} as const;

type CurrencyEvent = keyof (typeof EDGES)['deaf'];

/**
 * The streams of the other nodes, in memory, so that no rule waits for the database. One read runs at a time, and reads
 * all streams that were reported as changed since the one before; so the newest read is always the truth. Only reads
 * of single streams run beside it, while changes may be missed.
 */
export class ClusterStreams extends Emitter<ClusterStreamsEvents> implements StreamsElsewhere {
  readonly #options: ClusterStreamsOptions;
  readonly #byAccount = new Map<string, Map<StreamId, KnownStream>>();
  /** Of all nodes, this one too. */
  readonly #ends: DeclaredEnds;
  #currency: keyof typeof EDGES | 'closed' = 'behind';
  /** What the next read is to read. */
  #due: 'all' | Set<StreamId> = new Set();
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: ClusterStreamsOptions) {
    super('cluster');
    this.#options = options;
    this.#ends = new DeclaredEnds(options.now);
  }

  find(streamId: StreamId): StreamElsewhere | undefined {
    return this.#byAccount.get(namesOf(streamId).accountId)?.get(streamId);
  }

  endOf(streamId: StreamId): DeclaredEnd | undefined {
    return this.#ends.get(streamId);
  }

  ofAccount(accountId: string): readonly StreamElsewhere[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])];
  }

  refreshIfStale(streamId: StreamId): Promise<void> | undefined {
    return this.#currency === 'current' ? undefined : this.#refresh(streamId);
  }

  /** Reads all streams. Call when changes are reported from now on. @throws {ApiError} the database does not answer */
  async start(): Promise<void> {
    this.#due = 'all';
    await this.#reading;
    await this.#read();
  }

  /** The leases of a stream changed. */
  streamChanged({ accountId, streamName }: StreamName): void {
    this.#readSoon([streamIdOf(accountId, streamName)]);
  }

  /** Changes may be missed until `restored`. */
  lost(): void {
    this.#apply('lost');
  }

  restored(): void {
    this.#apply('restored');
    this.readAgain();
  }

  /** Reads all streams again, soon. */
  readAgain(): void {
    this.#due = 'all';
    this.#readSoon();
  }

  /** Reads the streams of nodes that are lost again: no trigger reports that their leases have expired. */
  expire(nodes: readonly KnownNode[]): void {
    const alive = new Set(nodes.flatMap(({ id, isAlive }) => (isAlive ? id : [])));
    this.#readSoon(this.#all.flatMap(({ streamId, node }) => (alive.has(node.id) ? [] : streamId)));
  }

  async close(): Promise<void> {
    this.#currency = 'closed';
    clearTimeout(this.#retry);
    await this.#reading?.catch(() => undefined);
  }

  get #all(): readonly KnownStream[] {
    return [...this.#byAccount.values()].flatMap((streams) => Array.from(streams.values()));
  }

  #apply(event: CurrencyEvent): void {
    if (this.#currency === 'closed') return;
    const edges: Partial<Record<CurrencyEvent, keyof typeof EDGES>> = EDGES[this.#currency];
    const next = edges[event];
    if (next) this.#currency = next;
    else reportFault('cluster', new Error(`${event}, while the streams of other servers are ${this.#currency}`));
  }

  /** @param streamIds are due, beside what is due already */
  #readSoon(streamIds: readonly StreamId[] = []): void {
    if (this.#due !== 'all') for (const streamId of streamIds) this.#due.add(streamId);
    if (this.#currency === 'closed' || (this.#due !== 'all' && this.#due.size === 0)) return;
    // A failure is made good by a read of everything.
    this.#read().catch(() => undefined);
  }

  #read(): Promise<void> {
    return (this.#reading ??= this.#readDue());
  }

  async #readDue(): Promise<void> {
    try {
      // What is reported in the same turn of the event loop is read together.
      await Promise.resolve();
      await (this.#due === 'all' ? this.#readAll() : this.#readChanged(this.#due));
    } catch (error) {
      this.#apply('failed');
      clearTimeout(this.#retry);
      if (this.#currency !== 'closed') this.#retry = after('cluster', RETRY_MS, () => this.readAgain()).unref();
      throw error;
    } finally {
      this.#reading = undefined;
    }
    this.#readSoon();
  }

  async #readAll(): Promise<void> {
    this.#apply('reading');
    this.#due = new Set();
    const leases = await this.#leases();
    const ends = await this.#options.store.ends();
    const known = [...this.#all.map(({ streamId }) => streamId), ...this.#ends.keys()];
    this.#replace([...known, ...[...leases, ...ends].map(streamOf)], leases, ends);
    this.#apply('read');
  }

  async #readChanged(due: Set<StreamId>): Promise<void> {
    const streamIds = [...due].slice(0, MAX_READ);
    for (const streamId of streamIds) due.delete(streamId);
    await this.#readStreams(streamIds);
  }

  /** @param isWanted whether what was read is the newest */
  async #readStreams(streamIds: readonly StreamId[], isWanted = () => true): Promise<void> {
    const leases = await this.#leases(streamIds);
    const live = new Set(leases.flatMap((lease) => (lease.liveOn === null ? [] : streamOf(lease))));
    // A stream that is live has not ended. It is read after the leases: what ended in between is read again.
    const others = streamIds.filter((streamId) => !live.has(streamId));
    const ends = others.length > 0 ? await this.#options.store.ends(others.map(namesOf)) : [];
    if (isWanted()) this.#replace(streamIds, leases, ends);
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
    // Not one that was given back and claimed again meanwhile.
    const still = new Set(held());
    const lost = before.flatMap((holder) => {
      const { streamId, sessionId } = holder;
      return !stored.has(sessionId) && still.has(holder) && (streamIds?.includes(streamId) ?? true) ? sessionId : [];
    });
    if (lost.length > 0) this.emit('own-leases-lost', lost);
    return leases;
  }

  async #refresh(streamId: StreamId): Promise<void> {
    // If everything was read meanwhile, this may be what was true before.
    await this.#readStreams([streamId], () => this.#currency !== 'current');
  }

  /** @param leases all valid leases of these streams @param ends their ends */
  #replace(streamIds: readonly StreamId[], leases: readonly Lease[], ends: readonly StreamEnd[]): void {
    const { nodeId } = this.#options;
    for (const lease of leases) if (lease.node.id === nodeId) this.emit('own-lease', lease);
    const others = Map.groupBy(
      leases.filter(({ node }) => node.id !== nodeId),
      streamOf,
    );
    const endOf = new Map(ends.map((end) => [streamOf(end), end]));
    for (const streamId of new Set(streamIds)) {
      const isOther = this.#put(streamId, others.get(streamId) ?? []);
      if (this.#putEnd(streamId, endOf.get(streamId)) || isOther) this.emit('changed', streamId);
    }
  }

  /** @returns whether it was another one */
  #putEnd(streamId: StreamId, end: StreamEnd | undefined): boolean {
    if (!end) return this.#ends.delete(streamId);
    const { endedOn, tokenId } = end;
    if (this.#ends.get(streamId)?.endedOn === endedOn) return false;
    this.#ends.set(streamId, { endedOn, tokenId });
    return true;
  }

  /** @returns whether it was another one */
  #put(streamId: StreamId, leases: readonly Lease[]): boolean {
    const { accountId } = namesOf(streamId);
    const ofAccount = this.#byAccount.get(accountId) ?? new Map<StreamId, KnownStream>();
    const known = knownStream(streamId, leases, this.#options.monotonicNow);
    if (ofAccount.get(streamId)?.signature === known?.signature) return false;
    if (known) ofAccount.set(streamId, known);
    else ofAccount.delete(streamId);
    if (ofAccount.size > 0) this.#byAccount.set(accountId, ofAccount);
    else this.#byAccount.delete(accountId);
    return true;
  }
}

function streamOf({ accountId, streamName }: StreamName): StreamId {
  return streamIdOf(accountId, streamName);
}
