import type { RecordingsQuery } from '../../src/wire/management/recording.js';
import type { RecordingRecord } from './recording-record.js';

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
   * Replaces everything but the expiry, which people change. A recording that becomes ready is written for the webhooks
   * of its account in the same step.
   * @param now milliseconds since 1970. Absent: the clock of the system
   * @returns false, and writes nothing, if there is no such recording
   */
  save(recording: RecordingRecord, now?: number): Promise<boolean>;
  /** @returns the recording after the change; undefined if the account has none with this id */
  setExpiry(
    subject: { readonly accountId: string; readonly id: string },
    expiresOn: number | null,
    now: number,
  ): Promise<RecordingRecord | undefined>;
  /** Notes in the audit log that somebody stopped a recording. */
  noteStop(recording: RecordingRecord, now: number): Promise<void>;
  /**
   * Deletes a recording, unless it is being recorded.
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
  /** Those that are ready or failed, and expired by then, the oldest first. */
  listExpired(time: number, limit: number): Promise<readonly RecordingRecord[]>;
  /** Those of these ids that exist. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  usage(accountId: string): Promise<RecordingUsage>;
  settings(accountId: string): Promise<RecordingSettings>;
  /** Changes the given fields. @returns the settings after the change */
  updateSettings(accountId: string, change: Partial<RecordingSettings>, now: number): Promise<RecordingSettings>;
}
