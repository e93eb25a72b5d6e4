import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { databaseUrl as databaseUrlSchema } from '../../config/variable-schemas.js';
import { DatabaseError } from '../../store/database-errors.js';
import { KEY_FILE } from '../../store/keys/key-file.js';
import { moveData, type MovedData, type MoveProgress } from '../../store/move/move-data.js';
import { CommandError, UsageError, type CliCommand, type CommandInvocation } from '../command.js';

/** The least time between two lines about the progress, in ms. */
const REPORT_EVERY_MS = 2_000;

export const moveCommand: CliCommand = {
  name: 'move',
  summary: 'copy all data of the data folder to an empty PostgreSQL database; the server must be stopped',
  options: {
    to: {
      value: 'URL',
      description: 'postgres://…, where the list of processes shows it; absent: DATABASE_URL, which it does not show',
    },
  },
  async run({ config, options, report }) {
    const moved = await move(config, targetOf(config, options), progressReport(report));
    const dataDir = resolve(config.dataDir);
    const keyFile = config.encryptionKey ? undefined : join(dataDir, KEY_FILE);
    const { account = 0, token = 0 } = moved.tables;
    return { data: { dataDir, keyFile, ...moved }, text: textOf({ dataDir, keyFile, account, token, ...moved }) };
  },
};

/** @throws {UsageError} its message does not show the URL, which has a password */
function targetOf({ databaseUrl }: Config, options: CommandInvocation['options']): string {
  const given = options.one('to') ?? databaseUrl;
  if (given === undefined) throw new UsageError('move needs --to, or the variable DATABASE_URL');
  const { error } = databaseUrlSchema.safeParse(given);
  if (error) throw new UsageError(`--to ${error.issues[0]?.message}`);
  return given;
}

async function move(
  { dataDir, encryptionKey }: Config,
  databaseUrl: string,
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedData> {
  try {
    return await moveData({ source: { dataDir, encryptionKey }, databaseUrl, onProgress });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new CommandError('database_unusable', `The PostgreSQL database cannot be used: ${error.reason}`);
  }
}

function progressReport(report: (line: string) => void): (progress: MoveProgress) => void {
  let reportedAt = performance.now();
  return ({ step, rows, of }) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    report(`${step === 'copy' ? 'Copied' : 'Compared'}: ${rows} of ${of} rows`);
  };
}

interface Moved {
  readonly dataDir: string;
  /** Undefined: the key is in the environment. */
  readonly keyFile: string | undefined;
  readonly account: number;
  readonly token: number;
  readonly rows: number;
}

function textOf({ dataDir, keyFile, account, token, rows }: Moved): string {
  const key =
    keyFile === undefined
      ? 'Give each server the same ENCRYPTION_KEY as now.'
      : `Without the key the tokens cannot be used: copy ${keyFile} to the data folder of each server, or set ENCRYPTION_KEY to its hex digits.`;
  return [
    `The data of ${dataDir} is in the database. Accounts: ${account}, tokens: ${token}, rows: ${rows}. All rows were read back and compared.`,
    key,
    'Start the servers with DATABASE_URL. The data folder is as it was: start no server on its database any more.',
    'The files of recordings were not copied: keep RECORDINGS_DIR where it is.',
  ].join('\n');
}
