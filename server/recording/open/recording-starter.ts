import type { Logger } from 'pino';
import { ConflictError } from '../../errors.js';
import type { SourceId } from '../../media/engine/media-track.js';
import { namesOf, type StreamId } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { RecordingError } from '../recording-control.js';
import type { RecordingFiles } from '../recording-files.js';
import type { RecordingQuota } from '../recording-quota.js';
import { newBroadcast, type RecordingRecord } from '../recording-record.js';
import type { OpenRecordings } from './open-recordings.js';
import type { RecordingCommands } from './recording-commands.js';
import type { BeginAction } from './recording-saver.js';
import { sourceKey } from './source-key.js';

export interface RecordingStart {
  /** `account/name`. */
  readonly stream: StreamId;
  readonly sourceId: SourceId;
  readonly tokenId: number;
  readonly action: BeginAction;
}

export interface RecordingStarterOptions {
  readonly quota: RecordingQuota;
  /** After how many days recordings of a publish token are deleted. Null: as the account has it. */
  readonly tokenRetentionDays: (tokenId: number) => number | null;
  readonly streams: Pick<StreamRegistry, 'publisherOf'>;
  readonly files: Pick<RecordingFiles, 'nodeId'>;
  readonly recordings: Pick<OpenRecordings, 'activeOf'>;
  readonly commands: Pick<RecordingCommands, 'isSwitchedOff'>;
  /** Records from now on. Resolves when it is stored. */
  readonly onStart: (start: RecordingStart, record: RecordingRecord) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** Begins recordings: one at a time for each source, if the account has space. */
export class RecordingStarter {
  readonly #options: RecordingStarterOptions;
  readonly #starting = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: RecordingStarterOptions) {
    this.#options = options;
  }

  /** Does nothing if the source is no longer live, or is recorded already. @throws {RecordingError} `quota_exceeded` */
  async start(start: RecordingStart): Promise<void> {
    const key = sourceKey(start.stream, start.sourceId);
    const started = this.#starting.get(key) ?? this.#start(start).finally(() => this.#starting.delete(key));
    this.#starting.set(key, started);
    await started;
  }

  /** Nothing begins afterwards. */
  close(): void {
    this.#isClosed = true;
  }

  async #start(start: RecordingStart): Promise<void> {
    const { quota, files, tokenRetentionDays, onStart, now, log } = this.#options;
    const { stream, sourceId, tokenId } = start;
    const { accountId, streamName } = namesOf(stream);
    const { level, retentionDays: ofAccount } = await quota.of(accountId).catch((err: unknown) => {
      // The broadcast does not wait for the database.
      log.error({ err, account: accountId }, 'the space for recordings is not known: a recording begins without it');
      return { level: 'ok', retentionDays: null } as const;
    });
    if (level === 'full') throw new RecordingError('quota_exceeded', quotaExceeded().message);
    if (!this.#isWanted(start)) return;
    const { nodeId } = files;
    const retentionDays = tokenRetentionDays(tokenId) ?? ofAccount;
    await onStart(start, newBroadcast({ accountId, streamName, sourceId, tokenId, nodeId, now: now(), retentionDays }));
  }

  /** Much may have changed while the database was asked. */
  #isWanted({ stream, sourceId, tokenId }: RecordingStart): boolean {
    const { streams, recordings, commands } = this.#options;
    const publisher = streams.publisherOf(stream, sourceId);
    if (this.#isClosed || recordings.activeOf(stream, sourceId) || commands.isSwitchedOff(stream, sourceId)) {
      return false;
    }
    return publisher?.isLive === true && publisher.tokenId === tokenId;
  }
}

export function quotaExceeded(): ConflictError {
  return new ConflictError(
    'quota_exceeded',
    'The recordings of this account have used its space: delete some, or give it more space',
  );
}
