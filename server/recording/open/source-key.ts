import type { SourceId } from '../../media/engine/media-track.js';

/** Names a source of a stream in maps. @param stream `account/name` */
export function sourceKey(stream: string, sourceId: SourceId): string {
  return JSON.stringify([stream, sourceId]);
}
