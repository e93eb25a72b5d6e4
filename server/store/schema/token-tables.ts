import type { Generated } from 'kysely';

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

export interface TokenStreamTable {
  token_id: number;
  /** Index in the list of the token, from 0. */
  position: number;
  stream_name: string;
  is_regex: 0 | 1;
}

export interface TokenBoundIpTable {
  token_id: number;
  address: string;
  /** Order of binding, from 0. */
  position: number;
  bound_on: number;
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

/** The tokens of publishers and viewers. */
export interface TokenTables {
  token: TokenTable;
  token_stream: TokenStreamTable;
  token_bound_ip: TokenBoundIpTable;
  token_search: TokenSearchTable;
  token_create: TokenCreateTable;
}
