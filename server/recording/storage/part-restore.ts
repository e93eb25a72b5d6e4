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
  await fetchFile(storage, backup.key, { path, bytes: piecesEnd, tail });
  return piecesEnd + tail.length;
}

/** The first bytes of an object, and what comes behind them. The file appears when it is complete. */
async function fetchFile(
  storage: Pick<S3Storage, 'read'>,
  key: string,
  { path, bytes, tail }: { readonly path: string; readonly bytes: number; readonly tail?: Buffer },
): Promise<void> {
  const unfinished = `${path}.restored`;
  const handle = await open(unfinished, 'w', 0o640);
  try {
    for (let from = 0; from < bytes; from += PIECE_BYTES) {
      const range = { from, to: Math.min(bytes, from + PIECE_BYTES) - 1 };
      await handle.writeFile(await buffer(await storage.read(key, range)));
    }
    if (tail) await handle.writeFile(tail);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
}

export interface RestoreOptions {
  readonly storage: S3Storage;
  readonly files: RecordingFiles;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** @returns its bytes; 0: S3 has it no more */
async function copyOf(storage: Pick<S3Storage, 'size' | 'read'>, key: string, path: string): Promise<number> {
  const bytes = (await storage.size(key)) ?? 0;
  if (bytes > 0) await fetchFile(storage, key, { path, bytes });
  return bytes;
}

/** Fetches those parts of a recording that are not in its folder, and are in S3. */
export async function restoreMissingParts(
  record: RecordingRecord,
  { storage, files, log }: RestoreOptions,
): Promise<void> {
  const present = await files.partNames(record);
  const missing = record.parts.filter(({ name }) => !present.includes(name));
  for (const { name, backup, storedAs } of missing) {
    if (!backup && !storedAs) continue;
    await files.makeFolder(record);
    const path = files.fileOf(record, name);
    const bytes = storedAs
      ? await copyOf(storage, storedAs, path)
      : backup
        ? await restorePart(storage, backup, path)
        : 0;
    const fields = { recording: record.id, account: record.accountId, part: name, bytes };
    if (bytes > 0) log.info(fields, 'a part of a recording was fetched from S3');
    else log.warn(fields, 'nothing of a part of a recording is in S3');
  }
}
