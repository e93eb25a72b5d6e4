import type { LiveStatus } from '../streams/live-status.js';
import { namesOf, type StreamId } from '../streams/stream-id.js';
import type { StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { ClusterStore } from './cluster-store.js';

export interface ClusterStatusOptions {
  readonly nodeId: string;
  readonly store: Pick<ClusterStore, 'writeStatus' | 'removeEndedStatuses' | 'statuses'>;
  readonly elsewhere: Pick<StreamsElsewhere, 'ofAccount'>;
  /** The live streams of this node. */
  readonly liveHere: () => readonly LiveStatus[];
}

/** What live streams are doing: each node writes its own every two seconds, and reads those of the others. */
export class ClusterStatus {
  readonly #options: ClusterStatusOptions;
  #writing: Promise<void> | undefined;
  /** By stream, as it was written last. */
  #written = new Map<StreamId, string>();

  constructor(options: ClusterStatusOptions) {
    this.#options = options;
  }

  /** Writes what has changed. A failure is made good by the next call. Never rejects. */
  write(): Promise<void> {
    return (this.#writing ??= this.#write()
      .catch(() => this.#written.clear())
      .finally(() => (this.#writing = undefined)));
  }

  /** The live streams of an account on other nodes. @throws {ApiError} 503 `database_unavailable` */
  async elsewhere(accountId: string): Promise<readonly LiveStatus[]> {
    const { nodeId, store, elsewhere } = this.#options;
    const rows = await store.statuses(nodeId, accountId);
    const written = rows.map(({ status }) => JSON.parse(status) as LiveStatus);
    const known = new Set(written.map(({ streamId }) => streamId));
    // A stream that began a moment ago is not written yet.
    const begun = elsewhere.ofAccount(accountId).flatMap((stream): LiveStatus[] => {
      const { streamId, liveSince } = stream;
      if (liveSince === undefined || known.has(streamId)) return [];
      const sources = stream.sources.flatMap((source) => {
        if (source.liveSince === undefined) return [];
        const { sourceId, tokenId, liveSince: since } = source;
        const connected = source.freeInMs === undefined;
        const unknown = { tracks: [], encodings: [], reception: undefined, notices: [], recording: false };
        return [{ sourceId, tokenId, liveSince: since, connected, ...unknown }];
      });
      return [{ streamId, liveSince, viewers: 0, viewersOverTime: [], sources }];
    });
    return [...written, ...begun];
  }

  async #write(): Promise<void> {
    const { nodeId, store, liveHere } = this.#options;
    const live = new Map(liveHere().map((status) => [status.streamId, JSON.stringify(status)]));
    const changed = [...live].filter(([streamId, status]) => this.#written.get(streamId) !== status);
    if (changed.length > 0) {
      const rows = changed.map(([streamId, status]) => Object.assign({ status }, namesOf(streamId)));
      await store.writeStatus(nodeId, rows);
    }
    if ([...this.#written.keys()].some((streamId) => !live.has(streamId))) await store.removeEndedStatuses(nodeId);
    this.#written = live;
  }
}
