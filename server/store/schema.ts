import type { Generated, Kysely } from 'kysely';
import type { AuditAction } from '../../src/wire/management/audit.js';
import type { MemberRole } from '../../src/wire/management/member.js';
import type { RecordingState } from '../../src/wire/management/recording.js';
import type { CallFault, DeliveryState } from '../../src/wire/management/webhook.js';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { RecordingFaultCode, RecordingRecord } from '../recording/recording-record.js';

// Times are milliseconds since 1970 and booleans are 0 or 1, so that SQLite and PostgreSQL store the same rows.

export interface AccountTable {
  id: string;
  created_on: number;
}

export interface ApiSecretTable {
  /** The primary key: an account has at most one secret. */
  account_id: string;
  secret_hash: string;
  created_on: number;
  last_used_on: number | null;
  last_used_from: string | null;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  name: string;
  value_hash: string;
  old_value_hash: string | null;
  old_value_expires_on: number | null;
  /** JSON: a list of scopes. */
  scopes: string;
  created_on: number;
  expires_on: number | null;
  last_used_on: number | null;
  last_used_from: string | null;
  revoked_on: number | null;
}

export interface AccountMemberTable {
  id: string;
  account_id: string;
  name: string;
  role: MemberRole;
  created_on: number;
}

export interface MemberPasskeyTable {
  id: string;
  credential_id: string;
  account_id: string;
  member_id: string;
  name: string;
  host: string;
  /** COSE, in base64url. */
  public_key: string;
  counter: number;
  /** JSON: a list. */
  transports: string;
  synced: 0 | 1;
  created_on: number;
  last_used_on: number | null;
}

/** The challenges of passkeys that were used and have not expired yet. */
export interface UsedChallengeTable {
  challenge_hash: string;
  expires_on: number;
}

export interface MemberPasswordTable {
  member_id: string;
  account_id: string;
  login_name: string;
  hash: string;
  /** See value-seal.ts. */
  code_secret_sealed: string;
  last_step: number;
  created_on: number;
  last_used_on: number | null;
}

export interface AccountThemeTable {
  account_id: string;
  name: string | null;
  accent: string | null;
  background: string | null;
  logo_type: string | null;
  logo_base64: string | null;
  updated_on: number;
}

export interface AccountLimitTable {
  account_id: string;
  max_sessions: number | null;
  max_calls: number | null;
  updated_on: number;
}

/** `settings_sealed`: JSON, see value-seal.ts; the context is the key. */
export interface AccountUpstreamTable {
  account_id: string;
  /** Empty: for all streams of the account. */
  stream_name: string;
  software: string;
  settings_sealed: string;
  updated_on: number;
}

/** `owner`: one start of a server. */
export interface UpstreamSessionTable {
  id: string;
  owner: string;
  session_sealed: string;
  opened_on: number;
}

export interface ScheduledStreamTable {
  id: string;
  account_id: string;
  stream_name: string;
  title: string;
  description: string | null;
  starts_on: number;
  ends_on: number | null;
  created_on: number;
  updated_on: number;
  /** Counts the changes, from 0. */
  revision: number;
}

export interface RecordingTable {
  id: string;
  account_id: string;
  kind: 'broadcast' | 'clip';
  stream_name: string;
  source_id: string | null;
  /** The token may be deleted. */
  token_id: number | null;
  state: RecordingState;
  fault: RecordingFaultCode | null;
  started_on: number;
  ended_on: number | null;
  duration_ms: number;
  bytes: number;
  video_codec: RecordingRecord['videoCodec'];
  audio_codec: 'opus' | null;
  width: number | null;
  height: number | null;
  container: 'mp4' | 'webm' | null;
  /** JSON: a list of `RecordedPart`. */
  parts: string;
  location: 'folder' | 's3';
  node_id: string;
  expires_on: number | null;
}

/** A server that records. */
export interface RecordingServerTable {
  node_id: string;
  /** When it was last running. */
  running_on: number;
}

export interface RecordingSettingsTable {
  account_id: string;
  retention_days: number | null;
  quota_bytes: number | null;
  updated_on: number;
}

/** Attempts to log in that failed, by login name or address. See attempt-delay.ts. */
export interface FailedAttemptTable {
  subject: string;
  failures: number;
  last_on: number;
  waits_until: number;
}

export interface DashboardCodeTable {
  code_hash: string;
  account_id: string;
  expires_on: number;
  /** Null: a link of the operator. */
  member_id: string | null;
}

export interface DashboardSessionTable {
  session_hash: string;
  account_id: string;
  expires_on: number;
  /** Null, as the fields below: the session began before these were recorded. */
  created_on: number | null;
  last_seen_on: number | null;
  last_seen_from: string | null;
  user_agent: string | null;
  /** Null: the login began with a link of the operator. */
  member_id: string | null;
}

/** One row, sealed by the first server that used the database. Only its key opens the row. See server-keys.ts. */
export interface SealCheckTable {
  id: number;
  sealed: string;
}

export interface TokenTable {
  id: Generated<number>;
  account_id: string;
  kind: 'publish' | 'subscribe';
  value_hash: string;
  /** See value-seal.ts; the context is `value_hash`. */
  value_sealed: string;
  label: string;
  subscribe_requires_auth: 0 | 1;
  /** Publish tokens: whether what is published is recorded. */
  record: 0 | 1;
  /** Publish tokens: of their recordings. Null: as the account has it. */
  recording_retention_days: number | null;
  is_active: 0 | 1;
  added_on: number;
  expires_on: number | null;
  revision: number;
  /** JSON: a list of patterns in canonical form. */
  allowed_origins: string;
  /** JSON: a list of addresses and ranges in canonical form. */
  allowed_addresses: string;
  /** JSON: a list of addresses and ranges in canonical form. */
  denied_addresses: string;
  bind_ips_on_usage: number;
  /** JSON: a list of ISO 3166-1 codes. */
  allowed_countries: string;
  /** JSON: a list of ISO 3166-1 codes. */
  denied_countries: string;
  /** 0: no limit. */
  max_sessions: number;
  when_full: 'refuse' | 'displace';
}

/** What a token is searched by. Written with the token, and deleted with it. */
export interface TokenSearchTable {
  account_id: string;
  kind: 'publish' | 'subscribe';
  token_id: number;
  label: string;
  is_active: 0 | 1;
  added_on: number;
  expires_on: number | null;
  /** The label and the stream names, folded, one per line. See sql-token-search.ts. */
  folded: string;
}

export interface TokenBoundIpTable {
  token_id: number;
  address: string;
  /** Order of binding, from 0. */
  position: number;
  bound_on: number;
}

/** A create with an idempotency key, for its repetitions. */
export interface TokenCreateTable {
  account_id: string;
  kind: 'publish' | 'subscribe';
  key: string;
  /** Identifies the fields of the create. The same key must not be used with other fields. */
  fingerprint: string;
  /** The created token in JSON. See value-seal.ts; the context is `fingerprint`. */
  answer_sealed: string;
  created_on: number;
}

export interface TokenStreamTable {
  token_id: number;
  /** Index in the list of the token, from 0. */
  position: number;
  stream_name: string;
  is_regex: 0 | 1;
}

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

/** For how long a session had media, in all, when it was last saved in an hour. */
export interface SessionHourTable {
  session_id: string;
  /** Hours since 1970. */
  hour: number;
  media_ms: number;
}

/** The hours in which sessions were saved since their sums were last made. */
export interface HourToRollUpTable {
  hour: number;
}

/** Sums of the sessions of a stream. See hour-statistics.ts. */
export interface StreamHourTable {
  account_id: string;
  stream_name: string;
  hour: number;
  viewer_sessions: number;
  peak_viewers: number;
  watched_ms: number;
  publisher_sessions: number;
  broadcast_ms: number;
}

/** Sums of the sessions of a token. */
export interface TokenHourTable {
  account_id: string;
  token_id: number;
  hour: number;
  kind: 'publish' | 'subscribe';
  sessions: number;
  media_ms: number;
  first_used_on: number;
  last_used_on: number;
}

/** Sums of what viewers reported. See viewing-sums.ts. */
export interface ViewingSumsColumns extends Record<`first_${number}`, number> {
  played_ms: number;
  frozen_ms: number;
  freezes: number;
  packets: number;
  lost: number;
  round_trip_ms: number;
  round_trips: number;
  height: number;
  heights: number;
}

/** The sums of a stream in five minutes, by one run of a server. */
export interface ViewingSlotTable extends ViewingSumsColumns {
  account_id: string;
  stream_name: string;
  /** Five minutes, counted since 1970. */
  slot: number;
  server_id: string;
  viewers: number;
  frozen_viewers: number;
}

export interface ViewingHourTable extends ViewingSumsColumns {
  account_id: string;
  stream_name: string;
  hour: number;
}

export interface WebhookTable {
  id: Generated<number>;
  account_id: string;
  url: string;
  description: string;
  /** JSON: a list of event types. */
  events: string;
  /** See value-seal.ts; the context is the id. */
  key_sealed: string;
  old_key_sealed: string | null;
  old_key_expires_on: number | null;
  /** Null, as `disabled_on`: it is active. */
  disabled_reason: 'owner' | 'gone' | null;
  disabled_on: number | null;
  created_on: number;
  updated_on: number;
}

/** What is sent to webhooks, and what was. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  webhook_id: number;
  event_id: string;
  type: string;
  /** Of the rows of a webhook with the same key that wait, only the first is sent. */
  order_key: string;
  /** JSON. */
  payload: string;
  state: DeliveryState;
  created_on: number;
  /** When it can be claimed: for the next call, or because the server that claimed it is lost. */
  due_on: number;
  /** Of the server that makes the call now. */
  claim: string | null;
  attempts: number;
  last_on: number | null;
  last_status: number | null;
  last_fault: CallFault | null;
  last_duration_ms: number | null;
}

/** The tokens that somebody has used. */
export interface TokenFirstUseTable {
  token_id: number;
  used_on: number;
}

/** The tokens whose expiry was announced, with that expiry. */
export interface TokenExpiryNoticeTable {
  token_id: number;
  expires_on: number;
}

/** The servers on the database. PostgreSQL only. Times are those of the database. */
export interface NodeTable {
  /** Of one run of a server: 32 hex digits. */
  id: string;
  /** The origin at which clients reach the server. Null: not known. */
  url: string | null;
  /** Grows each time the server comes back after its heartbeat had stopped. */
  epoch: number;
  heartbeat: Date;
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

export interface Schema {
  node: NodeTable;
  relay_key: RelayKeyTable;
  stream_lease: StreamLeaseTable;
  stream_status: StreamStatusTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  token_first_use: TokenFirstUseTable;
  token_expiry_notice: TokenExpiryNoticeTable;
  viewing_hour: ViewingHourTable;
  viewing_slot: ViewingSlotTable;
  account_member: AccountMemberTable;
  member_passkey: MemberPasskeyTable;
  used_challenge: UsedChallengeTable;
  member_password: MemberPasswordTable;
  account_theme: AccountThemeTable;
  account_limit: AccountLimitTable;
  account_upstream: AccountUpstreamTable;
  upstream_session: UpstreamSessionTable;
  scheduled_stream: ScheduledStreamTable;
  recording: RecordingTable;
  recording_server: RecordingServerTable;
  recording_settings: RecordingSettingsTable;
  failed_attempt: FailedAttemptTable;
  hour_to_roll_up: HourToRollUpTable;
  session_hour: SessionHourTable;
  stream_hour: StreamHourTable;
  token_hour: TokenHourTable;
  session: SessionTable;
  audit: AuditTable;
  refusal: RefusalTable;
  unknown_account_refusal: UnknownAccountRefusalTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  api_secret: ApiSecretTable;
  dashboard_code: DashboardCodeTable;
  dashboard_session: DashboardSessionTable;
  seal_check: SealCheckTable;
  token: TokenTable;
  token_bound_ip: TokenBoundIpTable;
  token_create: TokenCreateTable;
  token_search: TokenSearchTable;
  token_stream: TokenStreamTable;
}

export type Database = Kysely<Schema>;
