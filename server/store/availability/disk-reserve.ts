import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DiskFullError } from '../../errors.js';

export const RESERVE_FILE = 'disk.reserve';
/** Enough for SQLite's log to reach the size at which it is emptied, and for thousands of disabled tokens. */
export const RESERVE_BYTES = 8 * 1024 * 1024;
/** There is room again when this much is free beside the reserve. */
const ROOM_BYTES = 1024 * 1024;
/** With less the disk counts as full where SQLite does not say why it could not write. */
const LEAST_BYTES = 128 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** A file of the data folder that holds disk space, to be given up when there is no other. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;
  readonly #bytes: number;

  constructor(folder: string, bytes = RESERVE_BYTES) {
    this.#folder = folder;
    this.#path = join(folder, RESERVE_FILE);
    this.#bytes = bytes;
  }

  /** Takes what is missing of the reserve, or as much of it as there is. @returns whether it is whole */
  take(): boolean {
    return this.#fill(this.#path, this.#bytes);
  }

  /** Gives its space to the others on the disk. @returns whether there was any */
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

  /** Takes the reserve, and says whether others have room beside it. */
  restore(): boolean {
    return this.take() && this.#hasFree(ROOM_BYTES);
  }

  /** Whether nobody can write here any more. */
  isDiskFull(): boolean {
    return !this.#hasFree(LEAST_BYTES);
  }

  /** Asks by writing: the figures of a file system know no quota. */
  #hasFree(bytes: number): boolean {
    const path = join(this.#folder, `${RESERVE_FILE}.${process.pid}`);
    const hasRoom = this.#fill(path, bytes);
    try {
      rmSync(path, { force: true });
      return hasRoom;
    } catch {
      // A disk that nothing can be removed from takes nothing either.
      return false;
    }
  }

  #fill(path: string, bytes: number): boolean {
    try {
      const file = openSync(path, 'a', 0o600);
      try {
        // Random: a file system that compresses would keep zeros in no space at all.
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

const essential = new AsyncLocalStorage<true>();

/** Whether the present work may use the reserve. */
export function isReserveAllowed(): boolean {
  return essential.getStore() ?? false;
}

/**
 * Does a change that must be possible while the disk is full: one that takes access away. `work` is one transaction.
 * It is done again with the space of the reserve if the disk turned out to be full.
 */
export async function allowOnFullDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  return await essential.run(true, async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      return await work();
    }
  });
}
