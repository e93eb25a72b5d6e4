import { FIRST_ACCOUNT } from '../accounts/account-store.js';

/** What a server writes although nobody has used it: its first account, its keys, and calls of strangers. */
const WRITTEN_UNUSED: ReadonlySet<string> = new Set([
  'account',
  'audit',
  'dashboard_code',
  'failed_attempt',
  'kysely_migration',
  'kysely_migration_lock',
  'lost_node',
  'node',
  'recording_server',
  'refusal',
  'relay_key',
  'schema_version',
  'seal_check',
  'stream_end',
  'stream_lease',
  'stream_status',
  'unknown_account_refusal',
]);

/**
 * A query of SQLite and PostgreSQL that finds a row if anybody has used the data.
 * @param tables all tables of the database
 */
export function usedRowQuery(tables: readonly string[]): string {
  const used = tables.filter((table) => !WRITTEN_UNUSED.has(table)).map((table) => `select 1 as used from "${table}"`);
  return [`select 1 as used from account where id <> '${FIRST_ACCOUNT}'`, ...used].join(' union all ') + ' limit 1';
}
