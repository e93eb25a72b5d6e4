import { ManagementClient } from '../../src/management/management-client.js';
import { ManagementError } from '../../src/management/management-error.js';
import { publicUrlOf } from '../config.js';
import { atAccountDesk } from './account-desk.js';
import { CommandError, UsageError, type CommandCall } from './command.js';
import { atDataFolderManagement } from './data-folder-management.js';
import { tlsFailure } from './tls-failure.js';

export type Ask<Result> = (client: ManagementClient) => Promise<Result>;

/**
 * Asks the management API: with STREAMGATE_SECRET that of the running server, as the account of the secret; without,
 * that of the data folder, as the account of `--account` or the only one.
 */
export async function askManagement<Result>(call: CommandCall, ask: Ask<Result>): Promise<Result> {
  const { config, env, account } = call;
  if (isForServer(call)) return await askServer(call, ask);
  if (env['STREAMGATE_ENDPOINT']) {
    throw secretMissing('Set STREAMGATE_SECRET too: the server at STREAMGATE_ENDPOINT asks for the API secret.');
  }
  return await atAccountDesk(config, async ({ db, choose }) =>
    atDataFolderManagement({ config, db, accountId: await choose(account) }, ask),
  );
}

/** Whether `askManagement` asks the running server, and not the data folder. */
export function isForServer({ env }: Pick<CommandCall, 'env'>): boolean {
  return Boolean(env['STREAMGATE_SECRET']);
}

/**
 * For what only the running server knows: who is live. It is at STREAMGATE_ENDPOINT, or where the settings say. The
 * secret is not taken as an argument, for everybody on a machine can read those.
 * @throws {CommandError} `secret_missing`, `unreachable`, `tls_failed`
 */
export async function askServer<Result>({ config, env, account }: CommandCall, ask: Ask<Result>): Promise<Result> {
  const secret = env['STREAMGATE_SECRET'];
  if (!secret) {
    throw secretMissing('Set STREAMGATE_SECRET to the API secret: only the running server knows this.');
  }
  if (account !== undefined) {
    throw new UsageError('--account is not for a server: STREAMGATE_SECRET is of one account already');
  }
  const endpoint = env['STREAMGATE_ENDPOINT'] || publicUrlOf(config);
  try {
    return await ask(new ManagementClient({ endpoint, secret }));
  } catch (error) {
    if (!(error instanceof ManagementError) || error.code !== 'unreachable') throw error;
    const message = `No server answers at ${endpoint}. Start it, or set STREAMGATE_ENDPOINT to where it is.`;
    throw tlsFailure(endpoint, error) ?? new CommandError('unreachable', message);
  }
}

function secretMissing(message: string): CommandError {
  return new CommandError('secret_missing', message);
}
