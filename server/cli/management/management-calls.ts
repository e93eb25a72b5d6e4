import { ManagementClient } from '../../../src/management/management-client.js';
import { ManagementError } from '../../../src/management/management-error.js';
import { publicUrlOf } from '../../config/config.js';
import { withAccountContext } from '../account-context.js';
import { CommandError, UsageError, type CommandInvocation } from '../command.js';
import { withDataFolderClient } from './data-folder-client.js';
import { tlsFailure } from './tls-failure.js';

/** A call of the management API. */
export type ManagementCall<Result> = (client: ManagementClient) => Promise<Result>;

/**
 * Calls the management API. With STREAMGATE_SECRET: of the running server, for the account of the secret. Without it:
 * of the data folder, for the account of `--account` or the only account.
 */
export async function callManagement<Result>(
  invocation: CommandInvocation,
  call: ManagementCall<Result>,
): Promise<Result> {
  if (usesServer(invocation)) return await callServer(invocation, call);
  if (invocation.env['STREAMGATE_ENDPOINT']) {
    throw secretMissing('Set STREAMGATE_SECRET too: the server at STREAMGATE_ENDPOINT requires the API secret.');
  }
  return await callDataFolder(invocation, call);
}

/** As `callManagement`, of the data folder alone: for calls that the server takes from people only. */
export async function callDataFolder<Result>(
  { config, account }: CommandInvocation,
  call: ManagementCall<Result>,
): Promise<Result> {
  return await withAccountContext(config, async ({ db, chooseAccountId }) =>
    withDataFolderClient({ config, db, accountId: await chooseAccountId(account) }, call),
  );
}

/** Whether `callManagement` calls the running server instead of the data folder. */
export function usesServer({ env }: Pick<CommandInvocation, 'env'>): boolean {
  return Boolean(env['STREAMGATE_SECRET']);
}

/**
 * Calls the management API of the running server, which alone knows who is live. The server is at STREAMGATE_ENDPOINT,
 * or at the address in the settings. There is no option for the secret, because every user of a machine can read the arguments
 * of a process.
 * @throws {CommandError} `secret_missing`, `unreachable`, `tls_failed`
 */
export async function callServer<Result>(
  { config, env, account }: CommandInvocation,
  call: ManagementCall<Result>,
): Promise<Result> {
  const secret = env['STREAMGATE_SECRET'];
  if (!secret) {
    throw secretMissing('Set STREAMGATE_SECRET to the API secret: only the running server can answer this.');
  }
  if (account !== undefined) {
    throw new UsageError('--account cannot be used with STREAMGATE_SECRET, which belongs to one account');
  }
  const endpoint = env['STREAMGATE_ENDPOINT'] || publicUrlOf(config);
  try {
    return await call(new ManagementClient({ endpoint, secret }));
  } catch (error) {
    if (!(error instanceof ManagementError) || error.code !== 'unreachable') throw error;
    const message = `No server answers at ${endpoint}. Start the server, or set STREAMGATE_ENDPOINT to its address.`;
    throw tlsFailure(endpoint, error) ?? new CommandError('unreachable', message);
  }
}

function secretMissing(message: string): CommandError {
  return new CommandError('secret_missing', message);
}
