import type { MemberRole } from '../../../src/wire/management/member.js';

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
  /** JSON: hashes, see known-networks.ts. Null: none. */
  known_networks: string | null;
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

/** Who may manage an account, and how they prove it. */
export interface CredentialTables {
  api_secret: ApiSecretTable;
  api_key: ApiKeyTable;
  account_member: AccountMemberTable;
  member_passkey: MemberPasskeyTable;
  used_challenge: UsedChallengeTable;
  member_password: MemberPasswordTable;
  failed_attempt: FailedAttemptTable;
  dashboard_code: DashboardCodeTable;
  dashboard_session: DashboardSessionTable;
}
