import { ConflictError, NotFoundError } from '../../errors.js';
import type { RecordingRecord } from '../recording-record.js';

/**
 * Whether a server has something to do for somebody who wants this recording to be finished now.
 * @param nodeId of the server
 * @throws {ConflictError} `recording_in_progress`: it goes on. `recording_not_ready`: nothing of it is there
 * @throws {NotFoundError} `recording_file_missing`: another server has its parts
 */
export function mustBeFinished({ state, nodeId: owner, parts }: RecordingRecord, nodeId: string): boolean {
  if (state === 'ready') return false;
  if (state === 'recording') {
    throw new ConflictError('recording_in_progress', 'The stream is being recorded: stop the recording first');
  }
  if (owner !== nodeId) {
    throw new NotFoundError(
      'recording_file_missing',
      'Another server has the parts of this recording: ask that server',
    );
  }
  if (parts.length === 0) {
    throw new ConflictError('recording_not_ready', 'Nothing of this recording could be kept: there is no file');
  }
  return true;
}
