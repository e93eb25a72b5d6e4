import type { ConnectionOptions } from '../authorization/director.js';

/** The broadcast that a session key belongs to, as JSON: no such text is a prefix of another one. */
export function streamKey({
  endpoint,
  accountId,
  streamName,
  sourceId,
}: Pick<ConnectionOptions, 'endpoint' | 'accountId' | 'streamName'> & {
  readonly sourceId?: string | undefined;
}): string {
  return JSON.stringify([endpoint, accountId, streamName, sourceId]);
}
