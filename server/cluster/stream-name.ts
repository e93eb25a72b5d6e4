import type { StreamName } from './cluster-store.js';

/** The account and the name in the id of a stream. An account id has no slash. */
export function streamNameOf(streamId: string): StreamName {
  const slash = streamId.indexOf('/');
  return { accountId: streamId.slice(0, slash), streamName: streamId.slice(slash + 1) };
}
