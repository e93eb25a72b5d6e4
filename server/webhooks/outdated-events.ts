import type { StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { Occurrence } from './occurrence.js';

/**
 * Whether another server has begun the stream of an event since then. So it is when the event waited until this server
 * had its database again: the end of the broadcast here would be told after the start of the one there.
 * @returns a function that throws an ApiError if the database does not answer
 */
export function isBegunElsewhere(streams: Pick<StreamsElsewhere, 'find' | 'refreshIfStale'>) {
  return async ({ time, event: { type, data } }: Occurrence): Promise<boolean> => {
    if (!type.startsWith('stream.') || !('streamId' in data)) return false;
    await streams.refreshIfStale(data.streamId);
    const since = streams.find(data.streamId)?.liveSince;
    return since !== undefined && since > time;
  };
}
