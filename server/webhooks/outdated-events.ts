import type { Occurrence } from './occurrence.js';
import { readStreamId, type StreamId } from '../streams/stream-id.js';

/** The streams of other servers. */
export interface StreamsOfOthers {
  /** `liveSince` in milliseconds since 1970. Undefined: it is not live there. */
  find(streamId: StreamId): { readonly liveSince: number | undefined } | undefined;
  /** Reads the stream from the database, if what is known may be stale. */
  refreshIfStale(streamId: StreamId): Promise<void> | undefined;
}

/**
 * Whether another server has begun the stream of an event since then. So it is when the event waited until this server
 * had its database again: the end of the broadcast here would be told after the start of the one there.
 * @returns a function that throws an ApiError if the database does not answer
 */
export function isBegunElsewhere(streams: StreamsOfOthers) {
  return async ({ time, event }: Occurrence): Promise<boolean> => {
    const streamId = streamIdOf(event);
    if (streamId === undefined) return false;
    await streams.refreshIfStale(streamId);
    const since = streams.find(streamId)?.liveSince;
    return since !== undefined && since > time;
  };
}

function streamIdOf(event: Occurrence['event']): StreamId | undefined {
  switch (event.type) {
    case 'stream.started':
    case 'stream.ended':
    case 'stream.first_viewer':
    case 'stream.no_viewers':
      return readStreamId(event.data.streamId);
    default:
      return undefined;
  }
}
