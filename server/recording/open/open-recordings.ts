import type { SourceId } from '../../media/engine/media-track.js';
import type { OpenRecording } from './open-recording.js';
import { sourceKey } from './source-key.js';
import type { StreamId } from '../../streams/stream-id.js';

/** The recordings that are in memory: those that go on, and those whose parts viewers may still see. */
export class OpenRecordings {
  readonly #bySource = new Map<string, OpenRecording>();
  readonly #byId = new Map<string, OpenRecording>();

  /** Of each source at most one: it is live, or may go on. */
  get active(): readonly OpenRecording[] {
    return [...this.#bySource.values()];
  }

  /** The newest last. */
  get all(): readonly OpenRecording[] {
    return [...this.#byId.values()];
  }

  add(open: OpenRecording): void {
    this.#bySource.set(keyOf(open), open);
    this.#byId.set(open.id, open);
  }

  /** Another one may begin for its source. */
  release(open: OpenRecording): void {
    const key = keyOf(open);
    if (this.#bySource.get(key) === open) this.#bySource.delete(key);
  }

  /** Its parts are seen no more. */
  forget(id: string): void {
    this.#byId.delete(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): OpenRecording | undefined {
    return this.#byId.get(id);
  }

  activeOf(stream: StreamId, sourceId: SourceId): OpenRecording | undefined {
    return this.#bySource.get(sourceKey(stream, sourceId));
  }

  /** Active, or over. */
  newestOf(stream: StreamId, sourceId: SourceId): OpenRecording | undefined {
    return this.all.findLast((open) => open.stream === stream && open.sourceId === sourceId);
  }

  ofPart(partId: string): OpenRecording | undefined {
    return this.#byId.get(partId.split('/')[0]!);
  }
}

function keyOf({ stream, sourceId }: OpenRecording): string {
  return sourceKey(stream, sourceId);
}
