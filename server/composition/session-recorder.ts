import type { EventEmitter } from 'node:events';
import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import { bindingAddress } from '../addresses/ip-address.js';
import { ExpiringMap } from '../expiring-map.js';
import { Emitter } from '../faults/emitter.js';
import type { MediaEngineEvents } from '../media/engine/media-engine.js';
import type { SourceId } from '../media/engine/media-track.js';
import type { SessionEndReason } from '../sessions/session-end-reason.js';
import type { Session } from '../sessions/session.js';
import type { SessionProtocol, SessionsEventMap } from '../sessions/sessions.js';
import { SessionRecord, type StoredSession } from '../oversight/session-record.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { ViewingRecorder } from '../statistics/viewing-recorder.js';
import type { SessionQuery, SessionReader, SessionStore } from '../oversight/session-store.js';
import { SessionWriter } from '../oversight/session-writer.js';

/** How long an ended session can be continued in the same record, and how many are kept for it. */
const CONTINUED_WITHIN_MS = 3_600_000;
const MAX_CONTINUABLE = 10_000;
/** An origin can be any text of a client. */
const MAX_TEXT = 256;

export interface SessionRecorderOptions {
  readonly store: SessionStore;
  /** Adds up what viewers report. */
  readonly viewing?: Pick<ViewingRecorder, 'add'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The number of ended sessions that were lost since the last call, and the error. */
  readonly onDropped?: ((count: number, error: unknown) => void) | undefined;
}

export interface SessionRecorderEvents {
  /** A visitor who came while the stream was live saw the first picture. By the report of the client. */
  'first-picture': [afterMs: number];
}

/**
 * Records every session: when it opened, what happened, why it ended. Sessions and media never wait for it: a record is
 * kept in memory and written every five seconds. While the database is unavailable, the records wait.
 */
export class SessionRecorder extends Emitter<SessionRecorderEvents> implements SessionReader {
  readonly #store: SessionStore;
  readonly #now: () => number;
  readonly #viewing: Pick<ViewingRecorder, 'add'> | undefined;
  /** By the id of each open session. */
  readonly #open = new Map<string, SessionRecord>();
  readonly #byStream = new Map<string, Set<SessionRecord>>();
  readonly #liveSources = new Map<string, Set<SourceId>>();
  /** Ended records by the id of their last session. */
  readonly #continuable: ExpiringMap<SessionRecord>;
  readonly #writer: SessionWriter;

  constructor({ store, viewing, now, onDropped = () => {} }: SessionRecorderOptions) {
    super('oversight');
    this.#store = store;
    this.#viewing = viewing;
    this.#now = now;
    this.#continuable = new ExpiringMap({ capacity: MAX_CONTINUABLE, lifeMs: CONTINUED_WITHIN_MS, now });
    this.#writer = new SessionWriter({ store, openRecords: () => this.#open.values(), now, onDropped });
  }

  /** Records the sessions from now on. */
  follow(sessions: EventEmitter<SessionsEventMap>, engine: EventEmitter<MediaEngineEvents>): void {
    sessions.on('opened', (session, protocol) => this.#opened(session, protocol));
    sessions.on('connected', ({ id }) => this.#change(id, (record, time) => record.connected(id, time)));
    sessions.on('reachable', ({ id }, reachable) =>
      this.#change(id, (record, time) => record.reachable(id, reachable, time)),
    );
    sessions.on('reported', ({ id }, report, device) => this.#reported(id, report, device));
    sessions.on('overloaded', ({ id }, isOverloaded) =>
      this.#change(id, (record, time) => record.serverOverloaded(isOverloaded, time)),
    );
    sessions.on('ended', (session, reason) => this.#ended(session, reason));
    engine.on('live', (streamId, sourceId) => this.#sourceLive(streamId, sourceId, true));
    engine.on('ended', (streamId, sourceId) => this.#sourceLive(streamId, sourceId, false));
  }

  /** Writes what has changed. Resolves when it is written or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }

  /** Includes what happened before the call. @throws {DatabaseUnavailableError} */
  async list(accountId: string, query: SessionQuery): Promise<readonly StoredSession[]> {
    await this.#flushForReader(streamIdOf(accountId, query.streamName));
    return await this.#store.list(accountId, query);
  }

  /** Includes what happened before the call. @throws {DatabaseUnavailableError} */
  async find(accountId: string, streamName: string, id: string): Promise<StoredSession | undefined> {
    await this.#flushForReader(streamIdOf(accountId, streamName));
    return await this.#store.find(accountId, streamName, id);
  }

  /**
   * The ids of the open sessions of a record.
   * @param id of the record: of its first session
   */
  openSessions(streamId: StreamId, id: string): readonly string[] {
    const records = this.#byStream.get(streamId) ?? [];
    return [...records].find(({ origin }) => origin.id === id)?.openSessions ?? [];
  }

  #opened(session: Session, protocol: SessionProtocol): void {
    const { id, streamId, grant } = session;
    const time = this.#now();
    const live = this.#liveSources.has(streamId);
    const { accountId, streamName, tokenId, address, origin } = grant;
    const role = grant.role === 'Publish' ? 'publisher' : 'viewer';
    const earlier = grant.resumes === null ? undefined : this.#recordToContinue(grant.resumes);
    const known = earlier?.origin;
    let record: SessionRecord;
    if (
      earlier &&
      known?.accountId === accountId &&
      known.streamName === streamName &&
      known.role === role &&
      known.tokenId === tokenId
    ) {
      record = earlier;
      record.resumed(id, { time, live });
    } else {
      const text = origin === null ? null : storable(origin);
      record = new SessionRecord(
        { id, accountId, streamName, role, protocol, tokenId, address: bindingAddress(address), origin: text },
        { time, live },
      );
    }
    this.#open.set(id, record);
    const ofStream = this.#byStream.get(streamId) ?? new Set();
    this.#byStream.set(streamId, ofStream.add(record));
    this.#writer.changed(record);
  }

  #recordToContinue(sessionId: string): SessionRecord | undefined {
    return this.#open.get(sessionId) ?? this.#continuable.get(sessionId);
  }

  #ended({ id, streamId }: Session, { code }: SessionEndReason): void {
    this.#change(id, (record, time) => {
      record.ended(id, code, time);
      if (record.isOpen) return;
      const ofStream = this.#byStream.get(streamId);
      ofStream?.delete(record);
      if (ofStream?.size === 0) this.#byStream.delete(streamId);
      this.#continuable.set(id, record);
    });
    this.#open.delete(id);
  }

  /** Most reports wait for the next regular write of their session. */
  #reported(sessionId: string, report: ViewerReport, device: DeviceClass): void {
    const record = this.#open.get(sessionId);
    const news = record?.reported(sessionId, { device, report }, this.#now());
    if (!record || !news) return;
    if (news.firstPictureMs === undefined) this.#writer.reported(record);
    else {
      this.#writer.changed(record);
      this.emit('first-picture', news.firstPictureMs);
    }
    const { height, roundTrip } = report;
    const { id, accountId, streamName } = record.origin;
    const roundTripMs = roundTrip === undefined ? undefined : roundTrip * 1000;
    this.#viewing?.add({ accountId, streamName }, id, { ...news, height, roundTripMs });
  }

  #change(sessionId: string, change: (record: SessionRecord, time: number) => void): void {
    const record = this.#open.get(sessionId);
    if (!record) return;
    change(record, this.#now());
    this.#writer.changed(record);
  }

  #sourceLive(streamId: string, sourceId: SourceId, live: boolean): void {
    const sources = this.#liveSources.get(streamId) ?? new Set();
    if (live) sources.add(sourceId);
    else sources.delete(sourceId);
    if (sources.size > 0) this.#liveSources.set(streamId, sources);
    else this.#liveSources.delete(streamId);
    const time = this.#now();
    for (const record of this.#byStream.get(streamId) ?? []) {
      record.streamLive(sources.size > 0, time);
      this.#writer.changed(record);
    }
  }

  async #flushForReader(streamId: StreamId): Promise<void> {
    await this.#writer.flushForReader(this.#byStream.get(streamId) ?? []);
  }
}

/** PostgreSQL text cannot contain NUL, and UTF-8 cannot contain half of a surrogate pair. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD')).toString();
}
