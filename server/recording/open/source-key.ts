import type { SourceId } from '../../media/engine/media-track.js';
import type { StreamId } from '../../streams/stream-id.js';

/** Names a source of a stream in maps. @param stream `account/name` */
export function sourceKey(stream: StreamId, sourceId: SourceId): string {
  return JSON.stringify([stream, sourceId]);
}
