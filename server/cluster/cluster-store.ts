import type { SourceId } from '../media/engine/media-track.js';
import type { DeclaredEnd } from '../streams/declared-ends.js';

export interface NodeIdentity {
  /** Of one run of a server: 32 hex digits. */
  readonly id: string;
  /** The origin at which clients reach this node. Undefined: not known. */
  readonly url: string | undefined;
}

/** The proof that a node may change its leases: they are valid while the database has this epoch for the node. */
export interface NodeEpoch {
  readonly id: string;
  readonly epoch: number;
}

/** A node whose heartbeat the database knows. */
export interface KnownNode extends NodeIdentity, NodeEpoch {
  /** Its leases are valid. */
  readonly isAlive: boolean;
}

/** The answer to a heartbeat. */
export interface HeartbeatAnswer {
  /** The clock of the database, in milliseconds since 1970. */
  readonly databaseTime: number;
  /** False: the heartbeats stopped for too long, and other nodes may have claimed the streams. */
  readonly isRenewed: boolean;
  readonly nodes: readonly KnownNode[];
}

export interface LeaseKey {
  readonly accountId: string;
  readonly streamName: string;
  readonly sourceId: SourceId;
}

export interface NewLease extends LeaseKey {
  readonly sessionId: string;
  readonly sessionKeyHash: string;
  readonly tokenId: number;
}

export type ClaimAnswer =
  /** `epoch` is larger than that of every earlier lease of the source. */
  | { readonly name: 'claimed'; readonly epoch: number }
  /** Another node has the source, or other sources of the stream. */
  | { readonly name: 'taken'; readonly by: NodeIdentity; readonly sameSource: boolean }
  /** The leases of this node have expired. */
  | { readonly name: 'expired' };

/** What a node writes about its own lease. It changes nothing if the lease is of another session now. */
export interface LeaseState extends LeaseKey {
  readonly sessionId: string;
  readonly isLive: boolean;
  /** The publisher was lost, and the source is kept for this long. Null: the publisher is connected. */
  readonly keptForMs: number | null;
  /** The media has stopped, and may come back. */
  readonly isInterrupted: boolean;
}

/** A lease that is given back. */
export interface EndedLease extends LeaseKey {
  readonly sessionId: string;
  /** The broadcast was meant to end with it. */
  readonly endsStream: boolean;
}

/** A valid lease. */
export interface Lease extends NewLease {
  /** The epoch is that of the node, not of the lease. */
  readonly node: NodeIdentity & NodeEpoch;
  /** Milliseconds since 1970. Null: not live. */
  readonly liveOn: number | null;
  readonly keptForMs: number | null;
  readonly isInterrupted: boolean;
  readonly stopRequested: boolean;
}

/** The last broadcast of a stream was meant to end, and none has begun since. */
export interface StreamEnd extends StreamName, DeclaredEnd {}

export type StreamName = Pick<LeaseKey, 'accountId' | 'streamName'>;

/** What the nodes of one database know of each other. Every time is that of the database. */
export interface ClusterStore {
  /**
   * The node is there, with this epoch, and the leases of its earlier epochs are deleted. Not if the database has a
   * larger epoch: a statement that comes late must not end a later epoch.
   */
  join(node: NodeIdentity & NodeEpoch): Promise<Pick<HeartbeatAnswer, 'databaseTime'>>;
  beat(node: NodeEpoch): Promise<HeartbeatAnswer>;
  /** Deletes the node with its leases. */
  leave(id: string): Promise<void>;
  /**
   * Writes the webhook events `node.lost` and `node.returned` for nodes that are lost, or have come back: once, however
   * many nodes call it. `join` writes `node.returned` too, and `claim` writes `node.lost` before it takes a stream of a
   * lost node. Nothing is written for a witness that has joined too short a time ago to know that others are lost.
   */
  announceLost(witness: NodeEpoch): Promise<void>;
  /** Deletes nodes that have been lost for long and were announced, with their leases. @returns those */
  removeLost(): Promise<readonly NodeIdentity[]>;
  /** Of any number of nodes that claim a stream together, one gets it. A node may replace its own lease. */
  claim(node: NodeEpoch, lease: NewLease): Promise<ClaimAnswer>;
  /** A stream that is live has not ended. */
  write(nodeId: string, states: readonly LeaseState[]): Promise<void>;
  /** Deletes the leases that are still of these sessions, and notes the ends of the streams that end with one of them. */
  release(nodeId: string, leases: readonly EndedLease[]): Promise<void>;
  /** The valid leases of these streams, or of all. */
  leases(streams?: readonly StreamName[]): Promise<readonly Lease[]>;
  /** The ends of these streams, or of all, that are not too old to be told. */
  ends(streams?: readonly StreamName[]): Promise<readonly StreamEnd[]>;
  /**
   * Asks the other nodes to stop the publishers of a stream, or of an account.
   * @returns how many there are
   */
  requestStop(nodeId: string, accountId: string, streamName?: string): Promise<number>;
  /** Writes what the live streams of a node are doing. */
  writeStatus(nodeId: string, statuses: readonly (StreamName & { readonly status: string })[]): Promise<void>;
  /** Deletes what was written of streams that the node does not have any more. */
  removeEndedStatuses(nodeId: string): Promise<void>;
  /** What the live streams of an account on other nodes were doing when those nodes last wrote it. */
  statuses(nodeId: string, accountId: string): Promise<readonly (StreamName & { readonly status: string })[]>;
  /** Sends to every node that listens, this one too. */
  notify(payloads: readonly string[]): Promise<void>;
}
