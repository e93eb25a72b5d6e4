import { EventEmitter } from 'node:events';
import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import { bindingAddress } from '../addresses/ip-address.js';
import { catchErrors } from '../catch-errors.js';
import { ApiError } from '../errors.js';
import { ExpiringMap } from '../expiring-map.js';
import type { MediaEngineEvents } from '../media/engine/media-engine.js';
import type { SourceId } from '../media/engine/media-track.js';
import type { SessionEndReason } from '../sessions/session-end-reason.js';
import type { Session } from '../sessions/session.js';
import type { SessionProtocol, SessionsEventMap } from '../sessions/sessions.js';
import { LOST_AFTER_MS, SessionRecord, type StoredSession } from '../oversight/session-record.js';
import { streamIdOf } from '../streams/stream-registry.js';
import type { ViewingRecorder } from '../statistics/viewing-recorder.js';
import type { SessionQuery, SessionReader, SessionStore } from '../oversight/session-store.js';

export const SAVE_EVERY_MS = 5_000;
/** An open session is written again after this time, so that a crash of the server loses at most a minute of it. */
export const REFRESH_AFTER_MS = 45_000;
/** The most rows of one turn of `SAVE_EVERY_MS`. */
export const MAX_ROWS_PER_TURN = 2_500;
/** The most ended sessions that wait to be written. */
export const MAX_ENDED_WAITING = 10_000;
/** The most viewers of a stream whose newest reports a reader waits for. Those of more are up to 45 seconds old. */
const MAX_REPORTED_AT_ONCE = 200;
/** The rows of one transaction, so that other writes wait for a short time only. */
const ROWS_AT_ONCE = 100;
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
export class SessionRecorder extends EventEmitter<SessionRecorderEvents> implements SessionReader {
  readonly #store: SessionStore;
  readonly #now: () => number;
  readonly #viewing: Pick<ViewingRecorder, 'add'> | undefined;
  readonly #onDropped: (count: number, error: unknown) => void;
  /** By the id of each open session. */
  readonly #open = new Map<string, SessionRecord>();
  readonly #byStream = new Map<string, Set<SessionRecord>>();
  readonly #liveSources = new Map<string, Set<SourceId>>();
  /** Ended records by the id of their last session. */
  readonly #continuable: ExpiringMap<SessionRecord>;
  /** Records that changed since they were written. */
  readonly #changed = new Set<SessionRecord>();
  /** Records with reports since they were written. */
  readonly #reportedSince = new Set<SessionRecord>();
  readonly #savedOn = new WeakMap<SessionRecord, number>();
  readonly #timer: NodeJS.Timeout;
  #saving: Promise<ApiError | undefined> = Promise.resolve(undefined);
  #lostEndedOn = -Infinity;

  constructor({ store, viewing, now, onDropped = () => {} }: SessionRecorderOptions) {
    super();
    this.#store = store;
    this.#viewing = viewing;
    this.#now = now;
    this.#onDropped = onDropped;
    this.#continuable = new ExpiringMap({ capacity: MAX_CONTINUABLE, lifeMs: CONTINUED_WITHIN_MS, now });
    this.#timer = setInterval(() => void this.#turn(), SAVE_EVERY_MS).unref();
  }

  /** Records the sessions from now on. An error of the recorder reaches `onError`, never the session. */
  follow(
    sessions: EventEmitter<SessionsEventMap>,
    engine: EventEmitter<MediaEngineEvents>,
    onError: (error: unknown) => void,
  ): void {
    sessions.on(
      'opened',
      catchErrors(onError, (session, protocol) => this.#opened(session, protocol)),
    );
    sessions.on(
      'connected',
      catchErrors(onError, ({ id }) => this.#change(id, (record, time) => record.connected(id, time))),
    );
    sessions.on(
      'reachable',
      catchErrors(onError, ({ id }, reachable) =>
        this.#change(id, (record, time) => record.reachable(id, reachable, time)),
      ),
    );
    sessions.on(
      'reported',
      catchErrors(onError, ({ id }, report, device) => this.#reported(id, report, device)),
    );
    sessions.on(
      'ended',
      catchErrors(onError, (session, reason) => this.#ended(session, reason)),
    );
    engine.on(
      'live',
      catchErrors(onError, (streamId, sourceId) => this.#sourceLive(streamId, sourceId, true)),
    );
    engine.on(
      'ended',
      catchErrors(onError, (streamId, sourceId) => this.#sourceLive(streamId, sourceId, false)),
    );
  }

  /** Writes what has changed. Resolves when it is written or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    await this.#save([...this.#changed]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Includes what happened before the call. @throws {DatabaseUnavailableError} */
  async list(accountId: string, query: SessionQuery): Promise<readonly StoredSession[]> {
    await this.#saveOrThrow(streamIdOf(accountId, query.streamName));
    return await this.#store.list(accountId, query);
  }

  /** Includes what happened before the call. @throws {DatabaseUnavailableError} */
  async find(accountId: string, streamName: string, id: string): Promise<StoredSession | undefined> {
    await this.#saveOrThrow(streamIdOf(accountId, streamName));
    return await this.#store.find(accountId, streamName, id);
  }

  /**
   * The ids of the open sessions of a record.
   * @param id of the record: of its first session
   */
  openSessions(streamId: string, id: string): readonly string[] {
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
    this.#changed.add(record);
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
    if (news.firstPictureMs === undefined) this.#reportedSince.add(record);
    else {
      this.#changed.add(record);
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
    this.#changed.add(record);
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
      this.#changed.add(record);
    }
  }

  async #turn(): Promise<void> {
    const time = this.#now();
    const due = new Set([...this.#changed].slice(0, MAX_ROWS_PER_TURN));
    for (const record of this.#open.values()) {
      if (due.size >= MAX_ROWS_PER_TURN) break;
      if (time - (this.#savedOn.get(record) ?? 0) >= REFRESH_AFTER_MS) due.add(record);
    }
    const unavailable = await this.#save([...due]);
    if (unavailable || time - this.#lostEndedOn < LOST_AFTER_MS / 3) return;
    this.#lostEndedOn = time;
    // Repeated by the next turn if it fails.
    await this.#store.endLost(time - LOST_AFTER_MS).catch(() => (this.#lostEndedOn = -Infinity));
  }

  async #saveOrThrow(streamId: string): Promise<void> {
    const ofStream = [...(this.#byStream.get(streamId) ?? [])].filter((record) => this.#reportedSince.has(record));
    const reported = ofStream.length > MAX_REPORTED_AT_ONCE ? [] : ofStream;
    const unavailable = await this.#save([...new Set([...this.#changed, ...reported])]);
    // Another query would only double the wait.
    if (unavailable?.status === 503) throw unavailable;
  }

  /** One write at a time, so that an older state never replaces a newer one. */
  #save(records: readonly SessionRecord[]): Promise<ApiError | undefined> {
    this.#saving = this.#saving.then(() => this.#saveAll(records));
    return this.#saving;
  }

  /** @returns the error of the database, if records still wait because of it */
  async #saveAll(records: readonly SessionRecord[]): Promise<ApiError | undefined> {
    for (let start = 0; start < records.length; start += ROWS_AT_ONCE) {
      const unavailable = await this.#savePart(records.slice(start, start + ROWS_AT_ONCE));
      if (unavailable) {
        this.#dropBeyondLimit(unavailable);
        return unavailable;
      }
    }
    return undefined;
  }

  /** Halves a part that fails, so that one invalid row is dropped alone. */
  async #savePart(records: readonly SessionRecord[]): Promise<ApiError | undefined> {
    const time = this.#now();
    for (const record of records) {
      this.#changed.delete(record);
      this.#reportedSince.delete(record);
    }
    try {
      await this.#store.save(records.map((record) => record.storedAt(time)));
      for (const record of records) this.#savedOn.set(record, time);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) {
        for (const record of records) this.#changed.add(record);
        return error;
      }
      if (records.length === 1) {
        this.#onDropped(1, error);
        return undefined;
      }
      const middle = Math.ceil(records.length / 2);
      const first = await this.#savePart(records.slice(0, middle));
      const second = await this.#savePart(records.slice(middle));
      return first ?? second;
    }
  }

  #dropBeyondLimit(error: unknown): void {
    const ended = [...this.#changed].filter((record) => !record.isOpen);
    const dropped = ended.slice(0, Math.max(0, ended.length - MAX_ENDED_WAITING));
    for (const record of dropped) this.#changed.delete(record);
    if (dropped.length > 0) this.#onDropped(dropped.length, error);
  }
}

/** PostgreSQL text cannot contain NUL, and UTF-8 cannot contain half of a surrogate pair. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD')).toString();
}
