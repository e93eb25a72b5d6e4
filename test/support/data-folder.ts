import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.js';

/** A new empty folder, removed when the test ends. */
export async function dataFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-test-'));
  cleanup.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
