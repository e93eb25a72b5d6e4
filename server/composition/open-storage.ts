import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { OpenedResources } from './opened-resources.js';
import { reportFault } from '../faults/fault.js';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import { logDatabaseProblems } from '../store/availability/problem-log.js';
import { createDatabaseMonitor, createTokenChangeFeed, openDatabase } from '../store/database.js';
import { exposedKeyFile, type ServerKeys } from '../store/keys/key-file.js';
import { openServerKeys } from '../store/keys/server-keys.js';
import { ValueSeal } from '../store/keys/value-seal.js';
import { RowFaults } from '../store/rows/row-faults.js';
import { isPostgresUsed } from '../store/postgres/postgres-tables.js';
import type { Database } from '../store/schema.js';
import { lockDataFolder } from '../store/sqlite/data-folder-lock.js';
import { usedFolderContents } from '../store/sqlite/folder-contents.js';
import { SqlTokenStore } from '../store/tables/sql-token-store.js';
import { directoryLabels, type TokenLabels } from '../tokens/token-labels.js';
import { TokenDirectory } from '../tokens/token-directory.js';
import { TokenFollower } from '../tokens/token-follower.js';
import { TokenService } from '../tokens/token-service.js';

/** The database, the keys of the server, and the tokens in memory. */
export interface Storage {
  readonly db: Database;
  readonly monitor: DatabaseMonitor;
  readonly rowFaults: RowFaults;
  readonly keys: ServerKeys;
  readonly directory: TokenDirectory;
  readonly labels: TokenLabels;
  readonly follower: TokenFollower;
  readonly tokens: TokenService;
}

/**
 * Opens the database and loads the tokens. Each resource is added to `opened` at once.
 * @throws {DataDirError} @throws {DataFolderInUseError} @throws {DatabaseError} @throws {EncryptionKeyError}
 */
export async function openStorage(
  config: Config,
  opened: OpenedResources,
  { now, log }: { readonly now: () => number; readonly log: Logger },
): Promise<Storage> {
  const monitor = createDatabaseMonitor(config.dataDir, config.databaseUrl);
  opened.add(() => monitor.close());
  logDatabaseProblems(monitor, log);
  if (config.databaseUrl === undefined) {
    const lock = lockDataFolder(config.dataDir);
    opened.add(() => lock.release());
  }
  const rowFaults = new RowFaults();
  logRowFaults(rowFaults, log);
  const db = await openDatabase(config.dataDir, config.databaseUrl, { monitor, faults: rowFaults });
  opened.add(() => db.destroy());
  monitor.takeReserve();
  if (config.databaseUrl !== undefined) await warnOfUnusedFolder(db, config, log);
  const changes = createTokenChangeFeed(db, config.databaseUrl, monitor);
  const keys = await openServerKeys(db, config);
  const exposed = config.encryptionKey ? undefined : exposedKeyFile(config.dataDir);
  if (exposed) {
    const { file, mode } = exposed;
    log.warn({ file, mode }, 'other users of the machine can use the key file: restrict it with chmod 600');
  }
  const directory = new TokenDirectory();
  const store = new SqlTokenStore(db, new ValueSeal(keys.sealKey), { now });
  const tokens = new TokenService({ store, directory, now, knowsCountries: config.geoipDb !== undefined });
  const follower = new TokenFollower({ store, directory, changes });

  opened.add(() => follower.close());
  const began = performance.now();
  const logFill = (): void => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    log.info({ tokens: directory.size, seconds }, 'all tokens are in memory');
  };
  if (!(await follower.start())) void follower.filled.then(logFill);
  return { db, monitor, rowFaults, keys, directory, labels: directoryLabels(directory), follower, tokens };
}

/** What cannot be read costs only what it is about; somebody has to mend or remove it nevertheless. */
function logRowFaults(faults: RowFaults, log: Logger): void {
  faults.on('found', (found) => {
    reportFault('stored_row', new Error('a stored row cannot be read'));
    for (const { table, row, column, reason, account } of found) {
      log.error(
        { code: 'stored_row_unreadable', table, row, column, reason, account },
        'a stored row cannot be read: mend or remove it',
      );
    }
  });
}

/** Somebody who has set DATABASE_URL may expect the tokens of the data folder in the database. */
async function warnOfUnusedFolder(db: Database, { dataDir }: Config, log: Logger): Promise<void> {
  const left = usedFolderContents(dataDir);
  if (!left || (await isPostgresUsed(db))) return;
  const { accounts, tokens } = left;
  log.warn(
    { dataDir, accounts, tokens },
    'the database of DATABASE_URL is empty, and the data folder is not: to take its data to the database, stop the server and run streamgate move',
  );
}
