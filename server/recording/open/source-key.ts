import type { SourceId } from '../../media/engine/media-track.js';

/** Names a source of a stream in maps. @param stream `account/name` */
export function sourceKey(stream: string, sourceId: SourceId): string {
  return JSON.stringify([stream, sourceId]);
}

/** Of `account/name`: an account id has no slash. */
export function namesOf(stream: string): [accountId: string, streamName: string] {
  const slash = stream.indexOf('/');
  return [stream.slice(0, slash), stream.slice(slash + 1)];
}
