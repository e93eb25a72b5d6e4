import type { ManagementClient } from '../../management/management-client.js';

/**
 * Whether an active publish token that names this stream records it. A token with a pattern is not looked for: a link
 * then has no timeline.
 * @throws {ManagementError}
 */
export async function isRecorded(client: ManagementClient, name: string): Promise<boolean> {
  if (name === '') return false;
  const { tokens } = await client.publishTokens.list({ search: name, state: 'active' });
  return tokens.some(
    ({ record, streams }) => record === true && streams.some((one) => !one.isRegex && one.streamName === name),
  );
}
