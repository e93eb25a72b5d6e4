import { Emitter } from '../faults/emitter.js';
import { reportFault } from '../faults/fault.js';
import { after } from '../faults/timers.js';
import { namesOf, streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { LeaseHolder } from '../streams/stream-leases.js';
import type { StreamElsewhere, StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { ClusterStore, KnownNode, Lease, StreamName } from './cluster-store.js';
import { knownStream, type KnownStream } from './known-stream.js';

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
  #currency: keyof typeof EDGES | 'closed' = 'behind';
  /** What the next read is to read. */
  #due: 'all' | Set<StreamId> = new Set();
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: ClusterStreamsOptions) {
    super('cluster');
    this.#options = options;
  }

  find(streamId: StreamId): StreamElsewhere | undefined {
    return this.#byAccount.get(namesOf(streamId).accountId)?.get(streamId);
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
    this.#replace([...this.#all.map(({ streamId }) => streamId), ...leases.map(leasedStream)], leases);
    this.#apply('read');
  }

  async #readChanged(due: Set<StreamId>): Promise<void> {
    const streamIds = [...due].slice(0, MAX_READ);
    for (const streamId of streamIds) due.delete(streamId);
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
    const leases = await this.#leases([streamId]);
    // If everything was read meanwhile, this may be what was true before.
    if (this.#currency !== 'current') this.#replace([streamId], leases);
  }

  /** @param leases all valid leases of these streams */
  #replace(streamIds: readonly StreamId[], leases: readonly Lease[]): void {
    const { nodeId } = this.#options;
    for (const lease of leases) if (lease.node.id === nodeId) this.emit('own-lease', lease);
    const others = Map.groupBy(
      leases.filter(({ node }) => node.id !== nodeId),
      leasedStream,
    );
    for (const streamId of new Set(streamIds)) this.#put(streamId, others.get(streamId) ?? []);
  }

  #put(streamId: StreamId, leases: readonly Lease[]): void {
    const { accountId } = namesOf(streamId);
    const ofAccount = this.#byAccount.get(accountId) ?? new Map<StreamId, KnownStream>();
    const known = knownStream(streamId, leases, this.#options.monotonicNow);
    if (ofAccount.get(streamId)?.signature === known?.signature) return;
    if (known) ofAccount.set(streamId, known);
    else ofAccount.delete(streamId);
    if (ofAccount.size > 0) this.#byAccount.set(accountId, ofAccount);
    else this.#byAccount.delete(accountId);
    this.emit('changed', streamId);
  }
}

function leasedStream({ accountId, streamName }: Lease): StreamId {
  return streamIdOf(accountId, streamName);
}
