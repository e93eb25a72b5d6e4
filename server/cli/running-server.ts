import { ManagementClient } from '../../src/management/management-client.js';
import { publicUrlOf } from '../config.js';
import { CommandError, type CommandCall } from './command.js';

/**
 * For what only the server knows: who is live. It is asked over its API, at STREAMGATE_ENDPOINT or where the settings
 * say it is, as the account of STREAMGATE_SECRET. The secret is not taken as an argument, for everybody on a machine
 * can read those.
 * @throws {CommandError} `secret_missing`
 */
export async function askServer<Result>(
  { config, env }: Pick<CommandCall, 'config' | 'env'>,
  ask: (client: ManagementClient) => Promise<Result>,
): Promise<Result> {
  const secret = env['STREAMGATE_SECRET'];
  if (!secret) {
    throw new CommandError(
      'secret_missing',
      'Set STREAMGATE_SECRET to the API secret: only the running server knows this.',
    );
  }
  return await ask(new ManagementClient({ endpoint: env['STREAMGATE_ENDPOINT'] || publicUrlOf(config), secret }));
}
