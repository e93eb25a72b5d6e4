import type {
  ClaimAnswer,
  ClusterStore,
  EndedLease,
  HeartbeatAnswer,
  KnownNode,
  Lease,
  LeaseKey,
  LeaseState,
  NewLease,
  NodeEpoch,
  NodeIdentity,
  StreamEnd,
  StreamName,
} from '../../../../server/cluster/cluster-store.js';
import { EXPIRES_AFTER_MS, REMOVED_AFTER_MS, RETURNS_WITHIN_MS } from '../../../../server/cluster/lease-times.js';
import { END_TOLD_FOR_MS } from '../../../../server/streams/declared-ends.js';

interface NodeRow extends NodeIdentity {
  epoch: number;
  heartbeat: number;
  joinedOn: number;
}

interface LeaseRow extends NewLease {
  readonly nodeId: string;
  readonly nodeEpoch: number;
  liveOn: number | null;
  keptUntil: number | null;
  isInterrupted: boolean;
  stopRequested: boolean;
}

interface LostRow extends NodeIdentity, NodeEpoch {
  readonly heartbeat: number;
  hasReturned: boolean;
}

interface StatusRow extends StreamName {
  readonly nodeId: string;
  readonly status: string;
}

/** What webhooks are told. */
export type Announcement = readonly [type: 'node.lost' | 'node.returned', nodeId: string];

/**
 * The tables of `PostgresClusterStore`, in memory. Each call is one transaction, executed at once. It is held to PostgreSQL
 * by cluster-store.contract.ts.
 */
export class ModelClusterStore implements ClusterStore {
  readonly #nodes = new Map<string, NodeRow>();
  readonly #leases = new Map<string, LeaseRow>();
  readonly #lost = new Map<string, LostRow>();
  readonly #ends = new Map<string, StreamEnd>();
  readonly #statuses = new Map<string, StatusRow>();
  readonly announced: Announcement[] = [];
  readonly #now: () => number;
  readonly #notify: (payloads: readonly string[]) => void;
  #epochs = 0;
  /** What the triggers notify when the transaction ends: each text once. */
  readonly #changes = new Set<string>();

  /** @param now milliseconds since 1970 @param notify what every listener receives */
  constructor(now: () => number, notify: (payloads: readonly string[]) => void) {
    this.#now = now;
    this.#notify = notify;
  }

  join = ({ id, url, epoch }: NodeIdentity & NodeEpoch): Promise<Pick<HeartbeatAnswer, 'databaseTime'>> =>
    this.#transaction(() => {
      const before = this.#nodes.get(id);
      if (!before || before.epoch < epoch) {
        this.#nodes.set(id, { id, url, epoch, heartbeat: this.#now(), joinedOn: this.#now() });
        this.#nodeChanged();
      }
      this.#deleteLeases(({ nodeId, nodeEpoch }) => nodeId === id && nodeEpoch < epoch);
      this.#announceReturned();
      return { databaseTime: this.#now() };
    });

  beat = ({ id, epoch }: NodeEpoch): Promise<HeartbeatAnswer> =>
    this.#transaction(() => {
      const nodes = [...this.#nodes.values()].map((row): KnownNode => {
        return { id: row.id, url: row.url, epoch: row.epoch, isAlive: this.#isAlive(row) };
      });
      const own = this.#validNode({ id, epoch });
      if (own) own.heartbeat = this.#now();
      return { databaseTime: this.#now(), isRenewed: own !== undefined, nodes };
    });

  leave = (id: string): Promise<void> => this.#transaction(() => this.#deleteNode(id));

  announceLost = (witness: NodeEpoch): Promise<void> =>
    this.#transaction(() => {
      this.#announceLost(witness, () => true);
      this.#announceReturned();
    });

  removeLost = (): Promise<readonly NodeIdentity[]> =>
    this.#transaction(() => {
      const removed = [...this.#nodes.values()].filter(
        ({ id, epoch, heartbeat }) => this.#lost.has(`${id} ${epoch}`) && this.#isPast(heartbeat, REMOVED_AFTER_MS),
      );
      for (const { id } of removed) this.#deleteNode(id);
      for (const [key, { id, heartbeat }] of this.#lost) {
        if (this.#isPast(heartbeat, RETURNS_WITHIN_MS) && !this.#nodes.has(id)) this.#lost.delete(key);
      }
      return removed.map(({ id, url }) => ({ id, url }));
    });

  claim = (node: NodeEpoch, lease: NewLease): Promise<ClaimAnswer> =>
    this.#transaction((): ClaimAnswer => {
      this.#announceLost(node, ({ id }) => this.#leasesOf(lease).some(({ nodeId }) => nodeId === id));
      const others = this.#leasesOf(lease).filter((row) => row.nodeId !== node.id && this.#isValid(row));
      const [other = undefined] = [...others.filter(({ sourceId }) => sourceId === lease.sourceId), ...others];
      if (other) {
        const { url } = this.#nodes.get(other.nodeId)!;
        return { name: 'taken', by: { id: other.nodeId, url }, sameSource: other.sourceId === lease.sourceId };
      }
      if (!this.#validNode(node)) return { name: 'expired' };
      const before = this.#leases.get(keyOf(lease));
      const isOwn = before?.nodeId === node.id && before.nodeEpoch === node.epoch;
      const { accountId, streamName, sourceId, sessionId, sessionKeyHash, tokenId } = lease;
      const row = { accountId, streamName, sourceId, sessionId, sessionKeyHash, tokenId };
      const held = { nodeId: node.id, nodeEpoch: node.epoch, keptUntil: null, stopRequested: false };
      this.#leases.set(keyOf(lease), {
        ...row,
        ...held,
        liveOn: isOwn ? before.liveOn : null,
        isInterrupted: isOwn && before.isInterrupted,
      });
      this.#leaseChanged(lease);
      return { name: 'claimed', epoch: (this.#epochs += 1) };
    });

  write = (nodeId: string, states: readonly LeaseState[]): Promise<void> =>
    this.#transaction(() => {
      for (const { isLive, keptForMs, isInterrupted, ...lease } of states) {
        const row = this.#ownLease(nodeId, lease);
        if (!row) continue;
        if (isLive) this.#ends.delete(nameOf(row));
        row.isInterrupted = isInterrupted;
        row.liveOn = isLive ? (row.liveOn ?? this.#now()) : null;
        row.keptUntil = keptForMs === null ? null : this.#now() + keptForMs;
        this.#leaseChanged(row);
      }
    });

  release = (nodeId: string, leases: readonly EndedLease[]): Promise<void> =>
    this.#transaction(() => {
      for (const lease of leases) {
        const ended = this.#ownLease(nodeId, lease);
        if (!ended) continue;
        const { accountId, streamName, tokenId } = ended;
        const end = { accountId, streamName, tokenId, endedOn: Math.floor(this.#now()) };
        if (lease.endsStream) this.#ends.set(nameOf(ended), end);
        this.#deleteLeases((row) => row === ended);
      }
    });

  leases = (streams?: readonly StreamName[]): Promise<readonly Lease[]> =>
    this.#transaction(() => {
      const rows = streams ? streams.flatMap((stream) => this.#leasesOf(stream)) : [...this.#leases.values()];
      return [...new Set(rows)].filter((row) => this.#isValid(row)).map((row) => this.#readLease(row));
    });

  ends = (streams?: readonly StreamName[]): Promise<readonly StreamEnd[]> =>
    this.#transaction(() => {
      const known = [...this.#ends.values()].filter(({ endedOn }) => !this.#isPast(endedOn, END_TOLD_FOR_MS));
      const wanted = streams && new Set(streams.map(nameOf));
      return known.filter((end) => wanted?.has(nameOf(end)) ?? true);
    });

  requestStop = (nodeId: string, accountId: string, streamName?: string): Promise<number> =>
    this.#transaction(() => {
      const rows = [...this.#leases.values()].filter((row) => {
        const isAsked = row.accountId === accountId && (streamName === undefined || row.streamName === streamName);
        return isAsked && row.nodeId !== nodeId && this.#isValid(row);
      });
      for (const row of rows) {
        row.stopRequested = true;
        this.#leaseChanged(row);
      }
      return rows.length;
    });

  writeStatus = (nodeId: string, statuses: readonly (StreamName & { readonly status: string })[]): Promise<void> =>
    this.#transaction(() => {
      for (const { accountId, streamName, status } of statuses) {
        const isHere = this.#leasesOf({ accountId, streamName }).some((row) => row.nodeId === nodeId);
        if (isHere) this.#statuses.set(`${accountId}/${streamName}`, { accountId, streamName, nodeId, status });
      }
    });

  removeEndedStatuses = (nodeId: string): Promise<void> =>
    this.#transaction(() => {
      for (const [key, row] of this.#statuses) {
        const isHere = this.#leasesOf(row).some((lease) => lease.nodeId === nodeId);
        if (row.nodeId === nodeId && !isHere) this.#statuses.delete(key);
      }
    });

  statuses = (nodeId: string, accountId: string): Promise<readonly (StreamName & { readonly status: string })[]> =>
    this.#transaction(() =>
      [...this.#statuses.values()]
        .filter((row) => row.accountId === accountId && row.nodeId !== nodeId && this.#isLive(row))
        .map(({ streamName, status }) => ({ accountId, streamName, status })),
    );

  notify = (payloads: readonly string[]): Promise<void> =>
    this.#transaction(() => {
      for (const payload of payloads) this.#changes.add(payload);
    });

  /** The time since the last heartbeat of a node that was executed. */
  silentMs(nodeId: string): number {
    return this.#now() - (this.#nodes.get(nodeId)?.heartbeat ?? 0);
  }

  async #transaction<Answer>(run: () => Answer): Promise<Answer> {
    const answer = run();
    const changes = [...this.#changes];
    this.#changes.clear();
    if (changes.length > 0) this.#notify(changes);
    return answer;
  }

  #isPast(time: number, ms: number): boolean {
    return time <= this.#now() - ms;
  }

  #isAlive({ heartbeat }: NodeRow): boolean {
    return !this.#isPast(heartbeat, EXPIRES_AFTER_MS);
  }

  #validNode({ id, epoch }: NodeEpoch): NodeRow | undefined {
    const node = this.#nodes.get(id);
    return node?.epoch === epoch && this.#isAlive(node) ? node : undefined;
  }

  #isValid({ nodeId, nodeEpoch }: LeaseRow): boolean {
    return this.#validNode({ id: nodeId, epoch: nodeEpoch }) !== undefined;
  }

  #readLease({ nodeId, nodeEpoch, keptUntil, ...lease }: LeaseRow): Lease {
    const keptForMs = keptUntil === null ? null : keptUntil - this.#now();
    return { ...lease, keptForMs, node: { id: nodeId, url: this.#nodes.get(nodeId)!.url, epoch: nodeEpoch } };
  }

  #isLive(status: StatusRow): boolean {
    const leases = this.#leasesOf(status).filter(({ nodeId }) => nodeId === status.nodeId);
    return leases.some((row) => row.liveOn !== null && this.#isValid(row));
  }

  #leasesOf({ accountId, streamName }: StreamName): LeaseRow[] {
    return [...this.#leases.values()].filter((row) => row.accountId === accountId && row.streamName === streamName);
  }

  #ownLease(nodeId: string, lease: LeaseKey & { readonly sessionId: string }): LeaseRow | undefined {
    const row = this.#leases.get(keyOf(lease));
    return row?.nodeId === nodeId && row.sessionId === lease.sessionId ? row : undefined;
  }

  #deleteNode(id: string): void {
    if (!this.#nodes.delete(id)) return;
    this.#deleteLeases(({ nodeId }) => nodeId === id);
    for (const [key, { nodeId }] of this.#statuses) if (nodeId === id) this.#statuses.delete(key);
    this.#nodeChanged();
  }

  #deleteLeases(isDeleted: (row: LeaseRow) => boolean): void {
    for (const [key, row] of this.#leases) {
      if (!isDeleted(row)) continue;
      this.#leases.delete(key);
      this.#leaseChanged(row);
    }
  }

  #leaseChanged({ accountId, streamName }: StreamName): void {
    this.#changes.add(JSON.stringify(['stream', accountId, streamName]));
  }

  #nodeChanged(): void {
    this.#changes.add('["node"]');
  }

  /** Only a node that has been in for as long as leases are valid knows that others are lost. */
  #announceLost(witness: NodeEpoch, isConcerned: (node: NodeRow) => boolean): void {
    const joined = this.#validNode(witness)?.joinedOn;
    if (joined === undefined || !this.#isPast(joined, EXPIRES_AFTER_MS)) return;
    const lost = [...this.#nodes.values()].filter((node) => {
      return !this.#isAlive(node) && !this.#lost.has(`${node.id} ${node.epoch}`) && isConcerned(node);
    });
    for (const { id, url, epoch, heartbeat } of lost.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      this.#lost.set(`${id} ${epoch}`, { id, url, epoch, heartbeat, hasReturned: false });
      this.announced.push(['node.lost', id]);
    }
  }

  #announceReturned(): void {
    for (const lost of this.#lost.values()) {
      const hasReturned = [...this.#nodes.values()].some((node) => {
        const isSameRun = node.id === lost.id && node.epoch > lost.epoch;
        const isNextRun = node.id !== lost.id && node.url === lost.url && node.url !== undefined;
        return this.#isAlive(node) && (isSameRun || (isNextRun && node.joinedOn > lost.heartbeat));
      });
      if (lost.hasReturned || !hasReturned) continue;
      lost.hasReturned = true;
      this.announced.push(['node.returned', lost.id]);
    }
  }
}

function nameOf({ accountId, streamName }: StreamName): string {
  return JSON.stringify([accountId, streamName]);
}

function keyOf({ accountId, streamName, sourceId }: LeaseKey): string {
  return JSON.stringify([accountId, streamName, sourceId]);
}
