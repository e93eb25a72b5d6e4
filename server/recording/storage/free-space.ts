import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OpenFileToAppend } from '../recorder/append-file.js';

/** Unless the operator says how much recordings leave free: this part of the disk, and at most this much. */
const LEAST_PART = 0.05;
const MOST_BYTES = 1_000_000_000;
/** What is written to a file before the disk is asked again. */
const ASKED_EVERY_BYTES = 4 * 1_024 * 1_024;

/** In bytes. */
export interface DiskSpace {
  readonly total: number;
  readonly free: number;
}

export type ReadSpace = (folder: string) => Promise<DiskSpace>;

/** What a user without privileges may still write to the disk of a folder. */
export const spaceOf: ReadSpace = async (folder) => {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { total: bsize * blocks, free: bsize * bavail };
};

/**
 * Whether so little is free that nothing more is recorded, because others need the rest: the database, and the files that
 * are made of what is recorded already.
 * @param leastBytes undefined: a twentieth of the disk, at most 1 GB
 */
export function isSpaceLow({ total, free }: DiskSpace, leastBytes: number | undefined): boolean {
  return free < (leastBytes ?? Math.min(total * LEAST_PART, MOST_BYTES));
}

/** As `openFile`, for files that end, as on a full disk, before the disk is full. */
export function leavingSpace(
  openFile: OpenFileToAppend,
  leastBytes: number | undefined,
  readSpace = spaceOf,
): OpenFileToAppend {
  return async (path) => {
    const requireSpace = async (): Promise<void> => {
      if (!isSpaceLow(await readSpace(dirname(path)), leastBytes)) return;
      throw Object.assign(new Error('recordings leave the rest of the disk free'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
    };
    await requireSpace();
    const file = await openFile(path);
    let unasked = 0;
    return {
      async write(data) {
        if (unasked >= ASKED_EVERY_BYTES) {
          await requireSpace();
          unasked = 0;
        }
        const { bytesWritten } = await file.write(data);
        unasked += bytesWritten;
        return { bytesWritten };
      },
      truncate: (length) => file.truncate(length),
      datasync: () => file.datasync(),
      close: () => file.close(),
    };
  };
}
