import { sql, type Kysely } from 'kysely';
import type { MigrationProvider, Migrator } from 'kysely/migration';
import { up as accountsAndTokens } from './migrations/0001-accounts-and-tokens.js';
import { up as tokenRestrictions } from './migrations/0002-token-restrictions.js';
import { up as oversight } from './migrations/0003-oversight.js';
import { up as sealCheck } from './migrations/0004-seal-check.js';
import { up as unknownAccounts } from './migrations/0005-unknown-accounts.js';
import { up as apiKeys } from './migrations/0006-api-keys.js';
import { up as tokenRules } from './migrations/0007-token-rules.js';
import { up as sessions } from './migrations/0008-sessions.js';
import { up as statistics } from './migrations/0009-statistics.js';
import { up as logins } from './migrations/0010-logins.js';
import { up as members } from './migrations/0011-members.js';
import { up as passkeys } from './migrations/0012-passkeys.js';
import { up as tokenSearch } from './migrations/0013-token-search.js';
import { up as viewing } from './migrations/0014-viewing.js';
import { up as passwords } from './migrations/0015-passwords.js';
import { up as themes } from './migrations/0016-themes.js';
import { up as scheduledStreams } from './migrations/0017-scheduled-streams.js';
import { up as deniedAddresses } from './migrations/0018-denied-addresses.js';
import { up as tokenRecord } from './migrations/0019-token-record.js';
import { up as recordings } from './migrations/0020-recordings.js';
import { up as tokenRetention } from './migrations/0021-token-retention.js';
import { up as webhooks } from './migrations/0022-webhooks.js';
import { up as recordingServers } from './migrations/0023-recording-servers.js';
import { up as cluster } from './migrations/0024-cluster.js';
import { up as accountLimits } from './migrations/0025-account-limits.js';
import { up as relayKey } from './migrations/0026-relay-key.js';
import { up as upstreams } from './migrations/0028-upstreams.js';
import { up as schemaVersion } from './migrations/0029-schema-version.js';
import { up as lostNodes } from './migrations/0030-lost-nodes.js';
import { up as publishBitrateLimit } from './migrations/0032-publish-bitrate-limit.js';
import { up as knownNetworks } from './migrations/0033-known-networks.js';
import { up as dueDeliveries } from './migrations/0034-due-deliveries.js';
import { up as waitingSample } from './migrations/0035-waiting-sample.js';
import { up as streamEnds } from './migrations/0036-stream-ends.js';
import { up as namesOfTargets } from './migrations/0037-names-of-targets.js';
import { up as overload } from './migrations/0038-overload.js';
import { LaterSchemaError } from './database-errors.js';
import type { Schema } from './schema.js';

type Up = (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void>;

/**
 * By the names that databases have recorded, in that order. A released migration is frozen: its file never changes and
 * imports nothing but Kysely. test/server/store/migrations.test.ts compares the resulting schema with a stored one.
 */
const MIGRATIONS: Readonly<Record<string, Up>> = {
  '0001_accounts_and_tokens': accountsAndTokens,
  '0002_token_restrictions': tokenRestrictions,
  '0003_oversight': oversight,
  '0004_seal_check': sealCheck,
  '0005_unknown_accounts': unknownAccounts,
  '0006_api_keys': apiKeys,
  '0007_token_rules': tokenRules,
  '0008_sessions': sessions,
  '0009_statistics': statistics,
  '0010_logins': logins,
  '0011_members': members,
  '0012_passkeys': passkeys,
  '0013_token_search': tokenSearch,
  '0014_viewing': viewing,
  '0015_passwords': passwords,
  '0016_themes': themes,
  '0017_scheduled_streams': scheduledStreams,
  '0018_denied_addresses': deniedAddresses,
  '0019_token_record': tokenRecord,
  '0020_recordings': recordings,
  '0021_token_retention': tokenRetention,
  '0022_webhooks': webhooks,
  '0023_recording_servers': recordingServers,
  '0024_cluster': cluster,
  '0025_account_limits': accountLimits,
  '0026_relay_key': relayKey,
  '0028_upstreams': upstreams,
  '0029_schema_version': schemaVersion,
  '0030_lost_nodes': lostNodes,
  '0032_publish_bitrate_limit': publishBitrateLimit,
  '0033_known_networks': knownNetworks,
  '0034_due_deliveries': dueDeliveries,
  '0035_waiting_sample': waitingSample,
  '0036_stream_ends': streamEnds,
  '0037_names_of_targets': namesOfTargets,
  '0038_overload': overload,
};

/** In the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(MIGRATIONS);

export function migrationProvider(dialect: 'sqlite' | 'postgres'): MigrationProvider {
  const migrations = Object.entries(MIGRATIONS).map(([name, up]) => [
    name,
    { up: (db: Kysely<unknown>) => up(db, dialect) },
  ]);
  return { getMigrations: async () => Object.fromEntries(migrations) };
}

/** Whether any migration has run: the database belongs to Streamgate already. */
export async function hasData(migrator: Migrator): Promise<boolean> {
  return (await migrator.getMigrations()).some(({ executedAt }) => executedAt !== undefined);
}

/**
 * Whether tables of this version are missing. False also for tables of a later version that has only expanded them.
 * @throws {LaterSchemaError}
 */
export async function needsMigration(migrator: Migrator, db: Kysely<Schema>): Promise<boolean> {
  if ((await migrator.getMigrations()).some(({ executedAt }) => executedAt === undefined)) return true;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  if (rows.every(({ name }) => migrationNames.includes(name))) return false;
  const { rows: versions } = await sql<{ name: string }>`select compatible_from as name from schema_version`.execute(
    db,
  );
  const required = versions[0]?.name ?? 'no version';
  if (!migrationNames.includes(required)) throw new LaterSchemaError(required);
  return false;
}

/** Runs the migrations that are missing. A later version may do the same at the same time. @throws {LaterSchemaError} */
export async function migrateToLatest(migrator: Migrator, db: Kysely<Schema>): Promise<void> {
  const { error } = await migrator.migrateToLatest();
  if (error && (await needsMigration(migrator, db))) throw error;
}
