import { contain } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import type { StreamEvent } from '../streams/stream-event.js';
import type { StreamPlaces } from '../streams/stream-places.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { Entrance } from './entrance.js';
import type { Sessions } from './sessions.js';
import { ViewerSession } from './viewer-session.js';
import type { StreamId } from '../streams/stream-id.js';

/** The viewers that are told together: for some 10 ms. Between two slices other work gets a turn. */
const SLICE = 250;
/** A client that has not moved by then ignores `migrate`. Its session ends, so that it connects again. */
const MOVED_WITHIN_MS = 10_000;

export interface ViewerMigrationOptions {
  readonly sessions: Sessions;
  readonly streams: StreamRegistry;
  readonly places: StreamPlaces;
  readonly entrance: Pick<Entrance, 'shutSince'>;
}

/** `moves`: the stream is on another server. `looks`: it may be, and this server would not know. */
type Reason = 'moves' | 'looks';

/**
 * Sends viewers to the server that has their stream: those who waited here when it began elsewhere. They are told in
 * slices, and our client waits a random time before it asks the director, so that the other server is not stormed.
 */
export class ViewerMigration {
  readonly #options: ViewerMigrationOptions;
  /** By session. */
  readonly #waiting = new Map<string, Reason>();
  /** The sessions that were told, until they must have moved. */
  readonly #told = new Set<string>();
  readonly #deadlines = new Set<NodeJS.Timeout>();
  #next: NodeJS.Immediate | undefined;

  constructor(options: ViewerMigrationOptions) {
    this.#options = options;
    const { sessions, streams } = options;
    streams.on('publishers-changed', (streamId) => this.check(streamId));
    // The grant of a viewer can be older than the stream.
    sessions.on('connected', ({ id, streamId }) => this.#isElsewhere(streamId) && this.#add([id], 'moves'));
  }

  /** Sends the viewers of a stream to the server that has it, if they cannot watch it here. */
  check(streamId: StreamId): void {
    if (!this.#isElsewhere(streamId)) return;
    const viewers = this.#options.streams.viewersOf(streamId);
    this.#add(
      viewers.map(({ id }) => id),
      'moves',
    );
  }

  /**
   * Has all viewers look for their stream on other servers, because this one is cut off and learns of none that begins.
   * Our client stays connected here until it is connected elsewhere.
   */
  lookElsewhere(): void {
    this.#add(
      this.#options.sessions.all.map(({ id }) => id),
      'looks',
    );
  }

  close(): void {
    clearImmediate(this.#next);
    for (const deadline of this.#deadlines) clearTimeout(deadline);
  }

  #isElsewhere(streamId: StreamId): boolean {
    const { streams, places } = this.#options;
    return streams.elsewhere(streamId)?.live === true && places.elsewhereForViewers(streamId) !== undefined;
  }

  #add(sessionIds: readonly string[], reason: Reason): void {
    for (const id of sessionIds) {
      if (this.#told.has(id) || this.#waiting.get(id) === 'moves') continue;
      this.#waiting.set(id, reason);
    }
    if (this.#waiting.size > 0) this.#next ??= setImmediate(this.#tellSlice);
  }

  readonly #tellSlice = contain('sessions', (): void => {
    this.#next = undefined;
    const { sessions, streams } = this.#options;
    // One event for all viewers of a stream, which is then encoded once.
    const events = new Map<string, StreamEvent | undefined>();
    const told: string[] = [];
    let left = SLICE;
    for (const [id, reason] of this.#waiting) {
      if (left-- === 0) break;
      this.#waiting.delete(id);
      const session = sessions.find(id);
      if (!(session instanceof ViewerSession)) continue;
      const { streamId } = session;
      if (reason === 'moves' && !this.#isElsewhere(streamId)) continue;
      if (!events.has(streamId)) events.set(streamId, streams.migrateEvent(streamId));
      const event = events.get(streamId);
      if (reason === 'looks') {
        if (event) session.send(event);
        continue;
      }
      this.#told.add(id);
      told.push(id);
      sessions.sendAway(session, event);
    }
    if (told.length > 0) this.#endLater(told);
    if (this.#waiting.size > 0) this.#next = setImmediate(this.#tellSlice);
  });

  #endLater(sessionIds: readonly string[]): void {
    const { sessions, entrance } = this.#options;
    const deadline = after('sessions', MOVED_WITHIN_MS, () => {
      this.#deadlines.delete(deadline);
      for (const id of sessionIds) {
        const session = sessions.find(id);
        this.#told.delete(id);
        if (!session) continue;
        if (this.#isElsewhere(session.streamId)) session.stop('moved');
        // A server that stops keeps nobody.
        else if (entrance.shutSince === undefined) sessions.keep(session);
      }
    }).unref();
    this.#deadlines.add(deadline);
  }
}
