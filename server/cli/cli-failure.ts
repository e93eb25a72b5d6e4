import { ManagementError } from '../../src/management/management-error.js';
import { ConfigError } from '../config/config-error.js';
import { ApiError } from '../errors.js';
import { ListenError } from '../listen-error.js';
import { MediaError } from '../media/engine/media-error.js';
import { DatabaseError, DataDirError, DataFolderInUseError, NoDataError } from '../store/database-errors.js';
import { EncryptionKeyError } from '../store/keys/server-keys.js';
import { MoveError } from '../store/move/move-error.js';
import { SealBrokenError } from '../store/keys/value-seal.js';
import { NotificationsLostError } from '../store/postgres/notification-echo.js';
import { CommandError, UsageError } from './command.js';

/** Why a command failed: `code` for programs, `message` for people. */
export interface CliFailure {
  readonly code: string;
  /** Exit status: 1 could not be done, 2 not understood. */
  readonly status: 1 | 2;
  readonly message: string;
}

/** @throws any other error: it is a bug, and ends the process with a stack trace */
export function cliFailureOf(error: unknown): CliFailure {
  if (error instanceof UsageError) return { code: 'usage', status: 2, message: error.message };
  if (error instanceof ConfigError) return { code: 'invalid_config', status: 1, message: error.message };
  if (error instanceof NoDataError) return { code: 'no_data', status: 1, message: error.message };
  if (error instanceof DataDirError || error instanceof SealBrokenError) {
    return { code: 'data_dir_unusable', status: 1, message: error.message };
  }
  if (error instanceof EncryptionKeyError) return { code: 'encryption_key_wrong', status: 1, message: error.message };
  if (error instanceof DatabaseError) return { code: 'database_unusable', status: 1, message: error.message };
  if (error instanceof MediaError) return { code: error.code, status: 1, message: error.message };
  if (
    error instanceof MoveError ||
    error instanceof DataFolderInUseError ||
    error instanceof ListenError ||
    error instanceof NotificationsLostError ||
    error instanceof CommandError ||
    error instanceof ApiError ||
    error instanceof ManagementError
  ) {
    return { code: error.code, status: 1, message: error.message };
  }
  throw error;
}
