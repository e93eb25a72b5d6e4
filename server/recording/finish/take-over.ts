import { ConflictError, NotFoundError } from '../../errors.js';
import type { RecordingRecord } from '../recording-record.js';
import { isSilent } from '../recording-store.js';

/** What a server does for somebody who wants a recording to be finished now. */
export type FinishNow = 'nothing' | 'finish' | 'take_over';

export interface FinishRequest {
  /** The server. */
  readonly nodeId: string;
  /** Whether the caller says that the server that has the recording is lost. */
  readonly takeOver: boolean;
  /** Whether the server has the S3 storage that parts are copied to. */
  readonly hasS3: boolean;
}

/**
 * @throws {ConflictError} `recording_in_progress`: it goes on. `recording_not_ready`: nothing of it is there
 * @throws {NotFoundError} `recording_file_missing`: only another server has its parts
 */
export function finishNowOf(record: RecordingRecord, { nodeId, takeOver, hasS3 }: FinishRequest): FinishNow {
  const { state, location, parts } = record;
  const isOwn = record.nodeId === nodeId;
  if (state === 'ready' && (isOwn || location === 's3' || !takeOver)) return 'nothing';
  if (state === 'recording' && (isOwn || !takeOver)) {
    throw new ConflictError('recording_in_progress', 'The stream is being recorded: stop the recording first');
  }
  if (!isOwn && !takeOver) {
    throw fileMissing('Another server has the parts of this recording: ask that server, or take over if it is lost');
  }
  if (parts.length === 0) {
    throw new ConflictError('recording_not_ready', 'Nothing of this recording could be kept: there is no file');
  }
  if (isOwn) return 'finish';
  if (!hasS3 || !parts.some(({ backup }) => backup)) {
    throw fileMissing('Another server has the parts of this recording, and this server finds no copy of them in S3');
  }
  return 'take_over';
}

/** @throws {ConflictError} `recording_in_progress`: the server that has the recording is not lost */
export function mustBeSilent(lastRunning: number | undefined, now: number): void {
  if (isSilent(lastRunning, now)) return;
  throw new ConflictError(
    'recording_in_progress',
    'The server that has this recording was running within the last two minutes: ask that server',
  );
}

/** @throws {NotFoundError} `recording_file_missing`: it was deleted, or another server was faster */
export function mustBeTaken(taken: RecordingRecord | undefined): RecordingRecord {
  if (taken) return taken;
  throw fileMissing('This recording was just deleted, or taken over by another server');
}

function fileMissing(message: string): NotFoundError {
  return new NotFoundError('recording_file_missing', message);
}
