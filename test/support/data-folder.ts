import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.js';

/**
 * A file system in memory. On a disk, SQLite waits at each commit until the disk has it. A database of PostgreSQL is three
 * hundred files, which a slow disk takes half a second to create and to remove.
 */
const MEMORY = '/dev/shm';
/** What the folders of the tests that run at once take, several times. */
const ROOM_BYTES = 2 * 2 ** 30;

/** A new empty folder, removed when the test ends. */
export async function dataFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(temporaryRoot(), 'streamgate-test-'));
  cleanup.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where tests make their folders. */
export function temporaryRoot(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
}
