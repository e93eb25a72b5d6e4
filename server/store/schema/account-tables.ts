export interface AccountTable {
  id: string;
  created_on: number;
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
  /** bit/s */
  max_publish_bitrate: number | null;
  updated_on: number;
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

/** The accounts, and what the operator and their members set for them. */
export interface AccountTables {
  account: AccountTable;
  account_theme: AccountThemeTable;
  account_limit: AccountLimitTable;
  scheduled_stream: ScheduledStreamTable;
}
