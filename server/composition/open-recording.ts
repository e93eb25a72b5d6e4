import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { contain } from '../faults/contain.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { OpenedResources } from './opened-resources.js';
import { PackagerProcess } from '../recording/packager/packager-process.js';
import { RecorderProcess } from '../recording/recorder/recorder-process.js';
import { NOTHING_RECORDED, type RewindOptions } from '../recording/hls/rewind.js';
import { FolderLock } from '../folder-lock.js';
import { folderCheck, isOneDisk } from '../health/folder-check.js';
import type { Finding, HealthCheck } from '../health/health-checks.js';
import type { MetricsPart } from '../metrics/metrics.js';
import { recordingMetrics } from '../metrics/recording-metrics.js';
import { NoRecording, type RecordingControl } from '../recording/recording-control.js';
import { RecordingFiles } from '../recording/recording-files.js';
import { RecordingLibrary } from '../recording/recording-library.js';
import { RecordingSweep } from '../recording/recording-sweep.js';
import { RecordingQuota } from '../recording/recording-quota.js';
import { RecordingService } from '../recording/recording-service.js';
import { isSpaceLow, spaceOf } from '../recording/storage/free-space.js';
import { FolderStorage } from '../recording/storage/folder-storage.js';
import { S3Storage } from '../recording/storage/s3-storage.js';
import type { ProcessLogEntry } from '../recording/supervised-process.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import type { Database } from '../store/schema.js';
import { processSandbox } from '../process-sandbox.js';
import { SqlRecordingStore } from '../store/tables/sql-recording-store.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { StreamId } from '../streams/stream-id.js';

const RECORDINGS_LOCK = '.lock';

export interface OpenRecordingOptions {
  readonly config: Config;
  readonly db: Database;
  readonly keys: ServerKeys;
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  readonly directory: Pick<TokenDirectory, 'findById'>;
  /** Whether the engine gives the frames of a stream. */
  readonly hasFrames: (stream: StreamId) => boolean;
  /** Of a caller who records in another way. Undefined: this server records in its folder, if it has one. */
  readonly recording: RecordingControl | undefined;
  /** What viewers can go back in. Undefined: what this server records. */
  readonly recordings: RewindOptions | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface OpenedRecording {
  /** What publishers switch on and off. */
  readonly control: RecordingControl;
  /** What viewers can go back in. */
  readonly rewind: RewindOptions;
  readonly library: RecordingLibrary;
  /** Undefined: this server does not record. */
  readonly service: RecordingService | undefined;
  /** What records, and where. */
  readonly health: readonly HealthCheck[];
  readonly metrics: readonly MetricsPart[];
  /** Removes folders of the recordings that are in no database. As `service`. */
  readonly sweep: RecordingSweep | undefined;
}

/**
 * Starts to record, and takes up what an earlier run left. A server that cannot use its folder of recordings carries
 * live streams all the same.
 */
export async function openRecording(opened: OpenedResources, options: OpenRecordingOptions): Promise<OpenedRecording> {
  const { library, recorder, health } = await openRecorder(opened, options);
  const service = recorder?.service;
  const control = options.recording ?? service ?? new NoRecording();
  const { streams } = options;
  control.on(
    'changed',
    contain('recording', ({ stream, sourceId, ...change }) => streams.sendRecording(stream, sourceId, change)),
  );
  return {
    control,
    rewind: options.recordings ?? recorder?.rewind ?? NOTHING_RECORDED,
    library,
    service,
    health,
    metrics: recorder ? [recorder.metrics] : [],
    sweep: recorder?.sweep,
  };
}

/** What records in the folder of this server. */
interface OpenedRecorder {
  readonly service: RecordingService;
  readonly rewind: RewindOptions;
  readonly sweep: RecordingSweep;
  readonly metrics: MetricsPart;
}

async function openRecorder(
  opened: OpenedResources,
  options: OpenRecordingOptions,
): Promise<{
  readonly library: RecordingLibrary;
  readonly recorder?: OpenedRecorder;
  readonly health: readonly HealthCheck[];
}> {
  const { config, db, keys, directory, engine, streams, hasFrames, recording, now, log } = options;
  const store = new SqlRecordingStore(db);
  const quota = new RecordingQuota(store, log);
  const files = recording ? undefined : await openFiles(config, opened, log);
  const libraryOf = (isAvailable: boolean) =>
    recordingLibrary(config, { store, quota, linkKey: keys.linkKey, isAvailable, now, log });
  if (!files) {
    const health = recording || config.recordingsDir === undefined ? [] : [UNUSABLE_FOLDER];
    return { library: libraryOf(false).library, health };
  }
  // Neither process starts before something is recorded, or played from where it was recorded.
  const onLog = ({ level, message, ...fields }: ProcessLogEntry): void => log[level](fields, message);
  const { mediaSandbox, recordingsDir, recordingsMinFreeBytes } = config;
  const sandbox =
    mediaSandbox && recordingsDir !== undefined ? processSandbox({ folders: [resolve(recordingsDir)] }) : undefined;
  const recorder = new RecorderProcess({ sandbox, leastFreeBytes: recordingsMinFreeBytes, onLog });
  const packager = new PackagerProcess({ sandbox, onLog });
  opened.add(() => packager.close());
  const { library, s3 } = libraryOf(true);
  const service = new RecordingService({
    engine,
    streams,
    hasFrames,
    tokenRecords: (tokenId) => directory.findById(tokenId)?.record ?? false,
    tokenRetentionDays: (tokenId) => directory.findById(tokenId)?.recordingRetentionDays ?? null,
    recorder,
    packager,
    store,
    files,
    quota,
    s3,
    leaseMs: config.resumeWithinS * 1_000,
    now,
    log,
  });
  opened.add(() => service.close());
  await service.recover();
  const rewind = { source: service.reader, packager };
  // As the check of the disk has found it: a disk that does not answer must not hold up the metrics.
  let freeBytes: number | undefined;
  const isFull = async (path: string): Promise<boolean> => {
    freeBytes = undefined;
    const space = await spaceOf(path);
    freeBytes = space.free;
    return isSpaceLow(space, recordingsMinFreeBytes);
  };
  const onDatabaseDisk = config.databaseUrl === undefined && (await isOneDisk(config.dataDir, files.root));
  const health = recordingChecks(files.root, { recorder, packager, isFull, onDatabaseDisk });
  const metrics = recordingMetrics(service, () => ({
    active: service.active,
    freeBytes,
    near: quota.countOf('near'),
    full: quota.countOf('full'),
  }));
  return { library, recorder: { service, rewind, sweep: new RecordingSweep(files, store), metrics }, health };
}

/** Until the next start. The log has the reason. */
const UNUSABLE_FOLDER: HealthCheck = {
  component: 'recordings_folder',
  check: () => unavailable('The folder of recordings could not be used at the start: this server records nothing'),
};

/** The processes are not exercised: they start when something is recorded, and report by themselves what fails. */
function recordingChecks(
  folder: string,
  {
    recorder,
    packager,
    isFull,
    onDatabaseDisk,
  }: {
    readonly recorder: RecorderProcess;
    readonly packager: PackagerProcess;
    readonly isFull: (folder: string) => Promise<boolean>;
    readonly onDatabaseDisk: boolean;
  },
): readonly HealthCheck[] {
  const message =
    'The disk of the recordings is full, but for what recordings leave free (RECORDINGS_MIN_FREE_MB): nothing is recorded until it has space';
  const onFull = (): Finding => ({ level: 'problem', code: 'disk_full', message });
  const isAway = (component: string, process: { readonly isAway: boolean }, message: string): HealthCheck => ({
    component,
    check: () => (process.isAway ? unavailable(message) : undefined),
  });
  return [
    folderCheck({ component: 'recordings_folder', folder, onDatabaseDisk, onFull, isFull }),
    isAway('recorder', recorder, 'The recorder died, and does not run again: nothing is recorded'),
    isAway('packager', packager, 'The packager died, and does not run again: no recording becomes a file'),
  ];
}

function unavailable(message: string): Finding {
  return { level: 'problem', code: 'recording_unavailable', message };
}

export interface LibraryParts extends Pick<
  ConstructorParameters<typeof RecordingLibrary>[0],
  'store' | 'quota' | 'linkKey' | 'isAvailable' | 'now' | 'log'
> {}

/** The recordings in the folder and in S3, as the configuration names them. */
export function recordingLibrary(
  { recordingsDir, recordingsS3 }: Pick<Config, 'recordingsDir' | 'recordingsS3'>,
  parts: LibraryParts,
): { readonly library: RecordingLibrary; readonly s3: S3Storage | undefined } {
  const folder = recordingsDir === undefined ? undefined : new FolderStorage(recordingsDir);
  const s3 = recordingsS3 && new S3Storage(recordingsS3);
  return { library: new RecordingLibrary({ ...parts, folder, s3 }), s3 };
}

/** Undefined: nothing is recorded in the folder. */
async function openFiles(
  { recordingsDir }: Config,
  opened: OpenedResources,
  log: Logger,
): Promise<RecordingFiles | undefined> {
  if (recordingsDir === undefined) return undefined;
  try {
    const files = await RecordingFiles.open(recordingsDir);
    const lock = FolderLock.take(recordingsDir, RECORDINGS_LOCK);
    opened.add(() => lock?.release());
    if (lock) return files;
    log.error({ folder: recordingsDir }, 'another server records in this folder: this server records nothing');
    return undefined;
  } catch (err) {
    log.error({ err, folder: recordingsDir }, 'the folder of recordings cannot be used: nothing is recorded');
    return undefined;
  }
}
