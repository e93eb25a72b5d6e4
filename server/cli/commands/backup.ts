import { resolve } from 'node:path';
import { BackupError, backupDatabase, type BackupContents } from '../../store/sqlite/backup.js';
import { CommandError, type CliCommand } from '../command.js';

export const backupCommand: CliCommand = {
  name: 'backup',
  summary: 'write the database to a new file while servers keep using it; the encryption key is not in the file',
  operands: ['FILE'],
  async run({ config: { dataDir, databaseUrl }, operands: [file = ''] }) {
    if (databaseUrl !== undefined) {
      throw new CommandError('backup_failed', 'The data is in PostgreSQL: back it up with pg_dump.');
    }
    const { accounts, tokens } = backUp(dataDir, file);
    const path = resolve(file);
    return {
      data: { file: path, accounts, tokens },
      text: `The backup is in ${path}. Accounts: ${accounts}, tokens: ${tokens}.`,
    };
  },
};

function backUp(dataDir: string, file: string): BackupContents {
  try {
    return backupDatabase(dataDir, file);
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError('backup_failed', error.message);
    throw error;
  }
}
