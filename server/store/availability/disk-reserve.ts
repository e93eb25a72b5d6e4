import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DiskFullError } from '../../errors.js';

export const RESERVE_FILE = 'disk.reserve';
/** Enough for SQLite's log to reach its checkpoint, and for disabling thousands of tokens. */
export const RESERVE_BYTES = 8 * 1024 * 1024;
/** The disk is usable again when this much is free beside the reserve. */
const ROOM_BYTES = 1024 * 1024;
/** With less free space the disk counts as full, if SQLite does not report why it could not write. */
const LEAST_BYTES = 128 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** A file in the data folder that occupies disk space, released when the disk is full. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;
  readonly #bytes: number;

  constructor(folder: string, bytes = RESERVE_BYTES) {
    this.#folder = folder;
    this.#path = join(folder, RESERVE_FILE);
    this.#bytes = bytes;
  }

  /** Fills the reserve as far as the disk permits. @returns whether it has its full size */
  take(): boolean {
    return this.#fill(this.#path, this.#bytes);
  }

  /** Frees the space of the reserve. @returns whether there was any */
  release(): boolean {
    try {
      const file = openSync(this.#path, 'r+');
      const { size } = fstatSync(file);
      closeSync(file);
      truncateSync(this.#path);
      return size > 0;
    } catch {
      return false;
    }
  }

  /** Fills the reserve. @returns whether the disk has free space beside it */
  restore(): boolean {
    return this.take() && this.#hasFree(ROOM_BYTES);
  }

  /** Whether nothing more can be written to the disk. */
  isDiskFull(): boolean {
    return !this.#hasFree(LEAST_BYTES);
  }

  /** Tests by writing, because the free space that a file system reports ignores quotas. */
  #hasFree(bytes: number): boolean {
    const path = join(this.#folder, `${RESERVE_FILE}.${process.pid}`);
    const hasRoom = this.#fill(path, bytes);
    try {
      rmSync(path, { force: true });
      return hasRoom;
    } catch {
      // A disk on which a file cannot be removed cannot be written to either.
      return false;
    }
  }

  #fill(path: string, bytes: number): boolean {
    try {
      const file = openSync(path, 'a', 0o600);
      try {
        // Random bytes: a file system with compression would store zeros in no space.
        const chunk = randomFillSync(new Uint8Array(CHUNK_BYTES));
        for (let { size } = fstatSync(file); size < bytes;)
          size += writeSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - size));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return true;
    } catch {
      return false;
    }
  }
}

const reserveAllowed = new AsyncLocalStorage<true>();

/** Whether the present asynchronous context may use the reserve. */
export function isReserveAllowed(): boolean {
  return reserveAllowed.getStore() ?? false;
}

/**
 * Makes a change that must be possible on a full disk, because it revokes access or frees space. `work` is one
 * transaction. If the disk turns out to be full, `work` runs again with the space of the reserve.
 */
export async function allowOnFullDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  return await reserveAllowed.run(true, async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      return await work();
    }
  });
}
