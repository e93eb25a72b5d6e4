import type { Generated } from 'kysely';

/** The servers on the database. PostgreSQL only. Times are those of the database. */
export interface NodeTable {
  /** Of one run of a server: 32 hex digits. */
  id: string;
  /** The origin at which clients reach the server. Null: not known. */
  url: string | null;
  /** Grows each time the server comes back after its heartbeat had stopped. */
  epoch: number;
  heartbeat: Date;
  /** When this epoch began. */
  joined_on: Generated<Date>;
}

/** The servers whose loss was told to webhooks. PostgreSQL only. Times are those of the database. */
export interface LostNodeTable {
  id: string;
  epoch: number;
  url: string | null;
  /** The last one. */
  heartbeat: Date;
  /** When it was told that the server is back. Null: it was not. */
  returned_on: Date | null;
}

/** Which server has which source of a stream. PostgreSQL only. */
export interface StreamLeaseTable {
  account_id: string;
  stream_name: string;
  /** Empty: the main source. */
  source_id: string;
  node_id: string;
  /** The lease is valid while the node has this epoch and its heartbeat goes on. */
  node_epoch: number;
  /** Grows with each claim: a fencing token. */
  epoch: number;
  session_id: string;
  session_key_hash: string;
  token_id: number;
  /** Milliseconds since 1970. Null: not live. */
  live_on: number | null;
  /** The publisher was lost, and the source is kept until then. */
  kept_until: Date | null;
  stop_requested: boolean;
  /** Its media has stopped, and may come back. */
  interrupted: Generated<boolean>;
}

/** Broadcasts that were meant to end, until the stream is live again. PostgreSQL only. */
export interface StreamEndTable {
  account_id: string;
  stream_name: string;
  /** Of the publisher. */
  token_id: number;
  /** Milliseconds since 1970. */
  ended_on: number;
}

/** What live streams are doing, for the other servers. PostgreSQL only. */
export interface StreamStatusTable {
  account_id: string;
  stream_name: string;
  node_id: string;
  /** JSON: a `LiveStatus`. */
  status: string;
}

/** The key of the relays between servers. PostgreSQL only. */
export interface RelayKeyTable {
  id: number;
  sealed: string;
}

/** The servers on one database. PostgreSQL only. */
export interface ClusterTables {
  node: NodeTable;
  lost_node: LostNodeTable;
  stream_lease: StreamLeaseTable;
  stream_end: StreamEndTable;
  stream_status: StreamStatusTable;
  relay_key: RelayKeyTable;
}
