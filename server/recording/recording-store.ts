import type { RecordingsQuery } from '../../src/wire/management/recording.js';
import type { RecordedPart, RecordingRecord } from './recording-record.js';

export interface RecordingListPage {
  readonly recordings: readonly RecordingRecord[];
  /** The number of recordings on all pages. */
  readonly total: number;
}

/** What an account decides about its recordings. */
export interface RecordingSettings {
  /** Null: they are kept until they are deleted. */
  readonly retentionDays: number | null;
  /** Null: no limit. */
  readonly quotaBytes: number | null;
}

export interface RecordingUsage {
  readonly usedBytes: number;
  readonly recordings: number;
}

/** A server that records says twice a minute that it is running. */
export const NOTE_EVERY_MS = 30_000;
const SILENT_MS = 2 * 60_000;

/**
 * Whether a server may be lost. It may also run without the database, and find later that its recordings are another's:
 * then it writes no more of them.
 * @param lastRunning in milliseconds since 1970. Undefined: it never said so
 */
export function isSilent(lastRunning: number | undefined, now: number): boolean {
  return lastRunning === undefined || now - lastRunning >= SILENT_MS;
}

/**
 * Stores recordings. What people change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/recording-store.contract.ts.
 */
export interface RecordingStore {
  /**
   * The account must exist.
   * @param action what a person did to begin it. Absent: it began by itself
   */
  add(recording: RecordingRecord, action?: 'recording_started' | 'clip_created'): Promise<void>;
  /**
   * Replaces everything but the expiry, which people change, and the server. A recording that becomes ready is written
   * for the webhooks of its account in the same step.
   * @param now milliseconds since 1970. Absent: the clock of the system
   * @returns false, and writes nothing, if there is no such recording, or another server has taken it over
   */
  save(recording: RecordingRecord, now?: number): Promise<boolean>;
  /**
   * Saves a recording that is not ready, and adds those that its other parts become, all in one step.
   * @returns as `save`
   */
  divide(recording: RecordingRecord, others: readonly RecordingRecord[]): Promise<boolean>;
  /** Replaces only the parts. Writes nothing if another server has taken the recording over. */
  saveParts(recording: Pick<RecordingRecord, 'id' | 'nodeId'>, parts: readonly RecordedPart[]): Promise<void>;
  /**
   * Gives a recording that has to be finished to another server, in one step: of two servers, one gets it.
   * @returns the recording after the change; undefined if it is deleted, or the server `from` has it no more
   */
  takeOver(id: string, servers: { readonly from: string; readonly to: string }): Promise<RecordingRecord | undefined>;
  /** @returns the recording after the change; undefined if the account has none with this id */
  setExpiry(
    subject: { readonly accountId: string; readonly id: string },
    expiresOn: number | null,
    now: number,
  ): Promise<RecordingRecord | undefined>;
  /** Notes in the audit log that somebody stopped a recording. */
  noteStop(recording: RecordingRecord, now: number): Promise<void>;
  /**
   * Deletes a recording, unless it is being recorded by a server that is running.
   * @returns the recording as it was; undefined if the account has none with this id, or `open`
   */
  remove(accountId: string, id: string, now: number): Promise<RecordingRecord | 'open' | undefined>;
  find(accountId: string, id: string): Promise<RecordingRecord | undefined>;
  /** Of whichever account. */
  findAny(id: string): Promise<RecordingRecord | undefined>;
  /** The newest first. */
  list(accountId: string, query: RecordingsQuery): Promise<RecordingListPage>;
  /** The newest broadcast of a source that is ready. @param sourceId undefined: the main source, or else any */
  findLatest(
    accountId: string,
    streamName: string,
    sourceId: string | null | undefined,
  ): Promise<RecordingRecord | undefined>;
  /** Those of a server that are recorded or finished, or whose parts are still there, the oldest first. */
  listUnfinished(nodeId: string): Promise<readonly RecordingRecord[]>;
  /** Those of a server that are ready and in its folder, the oldest first. */
  listInFolder(nodeId: string, limit: number): Promise<readonly RecordingRecord[]>;
  /**
   * Those that are ready or failed, and expired by then, the first to expire first.
   * @param after one of an earlier list: only those behind it. Undefined: from the beginning
   */
  listExpired(
    time: number,
    limit: number,
    after?: Pick<RecordingRecord, 'id' | 'expiresOn'>,
  ): Promise<readonly RecordingRecord[]>;
  /** Those of these ids that are recordings of the server. */
  ofServer(nodeId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Notes that a server that records is running. @param time milliseconds since 1970 */
  noteRunning(nodeId: string, time: number): Promise<void>;
  /** When a server that records was last running, in milliseconds since 1970. Undefined: that is not known. */
  lastRunning(nodeId: string): Promise<number | undefined>;
  usage(accountId: string): Promise<RecordingUsage>;
  settings(accountId: string): Promise<RecordingSettings>;
  /** Changes the given fields. @returns the settings after the change */
  updateSettings(accountId: string, change: Partial<RecordingSettings>, now: number): Promise<RecordingSettings>;
}
