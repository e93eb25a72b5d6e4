import { resolve } from 'node:path';

/** The data folder cannot be used. The message names the folder and the reason. */
export class DataDirError extends Error {
  override name = 'DataDirError';
}

/** Another server uses the data folder. The message names the folder and the next step. */
export class DataFolderInUseError extends Error {
  override name = 'DataFolderInUseError';
  readonly code = 'data_folder_in_use';

  constructor(dataDir: string) {
    super(
      `Another server uses the data folder ${resolve(dataDir)}. Stop it and wait until it has ended, or set DATA_DIR to another folder. ` +
        'For several servers at once, also during a restart, use PostgreSQL (DATABASE_URL)',
    );
  }
}

/** There is no Streamgate data at the configured location. The message names the location and the next step. */
export class NoDataError extends Error {
  override name = 'NoDataError';

  /** @param dataDir undefined: the database of DATABASE_URL is empty */
  constructor(dataDir?: string) {
    const [location, next] =
      dataDir === undefined
        ? ['the PostgreSQL database of DATABASE_URL', 'set DATABASE_URL to the database of the server']
        : [resolve(dataDir), 'run the command in the folder of the server, or set DATA_DIR to its data folder'];
    super(
      `There is no Streamgate data in ${location}. If it is elsewhere, ${next}. To begin here, run: npx streamgate`,
    );
  }
}

/**
 * The database of DATABASE_URL cannot be used. The message names the reason and nothing of the URL, which is secret.
 */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
  readonly reason: string;

  constructor(cause: unknown) {
    const reason = reasonOf(cause);
    super(`the database of DATABASE_URL cannot be used: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** A later version has migrated the database, and this version cannot work with its tables any more. */
export class LaterSchemaError extends Error {
  override name = 'LaterSchemaError';

  /** @param required the migration that a version must know */
  constructor(required: string) {
    super(
      `a later version of Streamgate has changed its tables (${required}), and this version is too old for them: ` +
        'start the later version here too, or restore a backup from before',
    );
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
