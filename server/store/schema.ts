import type { Kysely } from 'kysely';
import type { AccountTables } from './schema/account-tables.js';
import type { ClusterTables } from './schema/cluster-tables.js';
import type { CredentialTables } from './schema/credential-tables.js';
import type { OversightTables } from './schema/oversight-tables.js';
import type { RecordingTables } from './schema/recording-tables.js';
import type { StatisticsTables } from './schema/statistics-tables.js';
import type { TokenTables } from './schema/token-tables.js';
import type { UpstreamTables } from './schema/upstream-tables.js';
import type { WebhookTables } from './schema/webhook-tables.js';

// Times are milliseconds since 1970 and booleans are 0 or 1, so that SQLite and PostgreSQL store the same rows.

/** One row, sealed by the first server that used the database. Only its key opens the row. See server-keys.ts. */
export interface SealCheckTable {
  id: number;
  sealed: string;
}

export interface Schema
  extends
    AccountTables,
    CredentialTables,
    TokenTables,
    OversightTables,
    StatisticsTables,
    RecordingTables,
    WebhookTables,
    UpstreamTables,
    ClusterTables {
  seal_check: SealCheckTable;
}

export type Database = Kysely<Schema>;
