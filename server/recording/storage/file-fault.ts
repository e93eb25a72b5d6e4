import type { RecordingFaultCode } from '../recording-record.js';

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Whether the file system failed, and not what the file contains. */
export function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Whether there is no space left, or the quota of the disk is used up. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** What an error of a file that is written means for its recording. */
export function diskFaultOf(error: unknown): Extract<RecordingFaultCode, 'disk_full' | 'disk_failed'> {
  return isDiskFull(error) ? 'disk_full' : 'disk_failed';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
