import type { Generated } from 'kysely';
import type { AuditAction } from '../../../src/wire/management/audit.js';
import type { RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';

export interface AuditTable {
  id: Generated<number>;
  account_id: string;
  time: number;
  actor_by: 'secret' | 'key' | 'dashboard' | 'cli' | 'server';
  actor_id: string | null;
  actor_name: string | null;
  action: AuditAction;
  target_kind: string;
  target_id: string;
  target_name: string | null;
  /** JSON. */
  before: string | null;
  /** JSON. */
  after: string | null;
}

export interface UnknownAccountRefusalTable {
  id: Generated<number>;
  time: number;
  kind: 'publish' | 'subscribe';
  token_id: number | null;
  stream_name: string;
  origin: string | null;
  address: string;
  reason: RuleRefusalCode;
  /** The account that the caller named; empty if they named none. */
  named_account: string | null;
}

/** `named_account` is null if the caller named this account. */
export interface RefusalTable extends UnknownAccountRefusalTable {
  account_id: string;
}

export interface SessionTable {
  /** The id of the first session; those that resumed it belong to the same row. */
  id: string;
  account_id: string;
  stream_name: string;
  role: 'publisher' | 'viewer';
  protocol: 'websocket' | 'whip' | 'whep' | 'rtmp';
  token_id: number | null;
  /** Of IPv6: the network with a prefix of 64 bits. */
  address: string;
  origin: string | null;
  opened_on: number;
  connected_on: number | null;
  first_media_on: number | null;
  /** When the server last wrote that the session is open, or when it ended. */
  seen_on: number;
  ended_on: number | null;
  reason: string | null;
  /** For how long media of the live stream reached the viewer, or came from the publisher. */
  watched_ms: number;
  reconnects: number;
  /** JSON: the timeline. */
  events: string;
  /** JSON: what the client of a viewer reported. */
  quality: string | null;
}

/** What happened: changes, refusals and sessions. */
export interface OversightTables {
  audit: AuditTable;
  refusal: RefusalTable;
  unknown_account_refusal: UnknownAccountRefusalTable;
  session: SessionTable;
}
