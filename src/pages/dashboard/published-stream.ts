import type { ManagementClient } from '../../management/management-client.js';
import type { TokenBody } from '../../wire/management/token.js';

/**
 * Whether an active publish token that names this stream records it. A token with a pattern is not looked for: a link
 * then has no timeline.
 * @throws {ManagementError}
 */
export async function isRecorded(client: ManagementClient, name: string): Promise<boolean> {
  return (await publishTokensOf(client, name)).some(({ record }) => record === true);
}

/**
 * Whether all active publish tokens that name this stream ask viewers for a token.
 * @throws {ManagementError}
 */
export async function isPrivate(client: ManagementClient, name: string): Promise<boolean> {
  const tokens = await publishTokensOf(client, name);
  return tokens.length > 0 && tokens.every(({ subscribeRequiresAuth }) => subscribeRequiresAuth === true);
}

async function publishTokensOf(client: ManagementClient, name: string): Promise<readonly TokenBody[]> {
  if (name === '') return [];
  const { tokens } = await client.publishTokens.list({ search: name, state: 'active' });
  return tokens.filter(({ streams }) => streams.some((one) => !one.isRegex && one.streamName === name));
}
