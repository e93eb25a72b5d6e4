import { open, rename } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import type { RecordingFiles } from '../recording-files.js';
import type { PartBackup, RecordingRecord } from '../recording-record.js';
import { PIECE_BYTES, type S3Storage } from './s3-storage.js';

/**
 * Fetches a part from its copy in S3. The file appears when it is complete.
 * @returns its bytes; 0: S3 has nothing of it, and there is no file
 * @throws {Error} that is not known now, or the file cannot be written
 */
export async function restorePart(
  storage: Pick<S3Storage, 'completeBackup' | 'readTail' | 'read'>,
  backup: PartBackup,
  path: string,
): Promise<number> {
  const piecesEnd = await storage.completeBackup(backup);
  const tail = await storage.readTail(backup, piecesEnd);
  // Without its begin, a part cannot be read.
  if (piecesEnd === 0 && (backup.etags.length > 0 || tail.length === 0)) return 0;
  const unfinished = `${path}.restored`;
  const handle = await open(unfinished, 'w', 0o640);
  try {
    for (let from = 0; from < piecesEnd; from += PIECE_BYTES) {
      const range = { from, to: from + PIECE_BYTES - 1 };
      await handle.writeFile(await buffer(await storage.read(backup.key, range)));
    }
    await handle.writeFile(tail);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
  return piecesEnd + tail.length;
}

export interface RestoreOptions {
  readonly storage: S3Storage;
  readonly files: RecordingFiles;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Fetches those parts of a recording that are not in its folder, and have a copy in S3. */
export async function restoreMissingParts(
  record: RecordingRecord,
  { storage, files, log }: RestoreOptions,
): Promise<void> {
  const present = await files.partNames(record);
  const missing = record.parts.filter(({ name }) => !present.includes(name));
  for (const { name, backup } of missing) {
    if (!backup) continue;
    await files.makeFolder(record);
    const bytes = await restorePart(storage, backup, files.fileOf(record, name));
    const fields = { recording: record.id, account: record.accountId, part: name, bytes };
    if (bytes > 0) log.info(fields, 'a part of a recording was fetched from S3');
    else log.warn(fields, 'nothing of a part of a recording is in S3');
  }
}
