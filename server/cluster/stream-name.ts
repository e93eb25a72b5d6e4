import { namesOf } from '../streams/stream-id.js';
import type { StreamName } from './cluster-store.js';

/** The account and the name in the id of a stream. */
export function streamNameOf(streamId: string): StreamName {
  const [accountId, streamName] = namesOf(streamId);
  return { accountId, streamName };
}
