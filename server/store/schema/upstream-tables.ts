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

/** The upstreams of accounts, and the sessions there. */
export interface UpstreamTables {
  account_upstream: AccountUpstreamTable;
  upstream_session: UpstreamSessionTable;
}
