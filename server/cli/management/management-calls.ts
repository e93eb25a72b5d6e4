import { ManagementClient } from '../../../src/management/management-client.js';
import { ManagementError } from '../../../src/management/management-error.js';
import { publicUrlOf } from '../../config/config.js';
import { withAccountContext } from '../account-context.js';
import { CommandError, UsageError, type CommandInvocation } from '../command.js';
import { withDataFolderClient } from './data-folder-client.js';
import { tlsFailure } from './tls-failure.js';

export type ManagementCall<Result> = (client: ManagementClient) => Promise<Result>;

/**
 * Asks the management API: with STREAMGATE_SECRET that of the running server, as the account of the secret; without,
 * that of the data folder, as the account of `--account` or the only one.
 */
export async function callManagement<Result>(call: CommandInvocation, ask: ManagementCall<Result>): Promise<Result> {
  const { config, env, account } = call;
  if (usesServer(call)) return await callServer(call, ask);
  if (env['STREAMGATE_ENDPOINT']) {
    throw secretMissing('Set STREAMGATE_SECRET too: the server at STREAMGATE_ENDPOINT asks for the API secret.');
  }
  return await withAccountContext(config, async ({ db, chooseAccountId }) =>
    withDataFolderClient({ config, db, accountId: await chooseAccountId(account) }, ask),
  );
}

/** Whether `askManagement` asks the running server, and not the data folder. */
export function usesServer({ env }: Pick<CommandInvocation, 'env'>): boolean {
  return Boolean(env['STREAMGATE_SECRET']);
}

/**
 * For what only the running server knows: who is live. It is at STREAMGATE_ENDPOINT, or where the settings say. The
 * secret is not taken as an argument, for everybody on a machine can read those.
 * @throws {CommandError} `secret_missing`, `unreachable`, `tls_failed`
 */
export async function callServer<Result>(
  { config, env, account }: CommandInvocation,
  ask: ManagementCall<Result>,
): Promise<Result> {
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
