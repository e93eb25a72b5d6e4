import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.js';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk. */
  fill(): void;
  empty(): void;
}

/** Whether this process may mount a file system: as root on Linux, except in some containers. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const cleanups: (() => void)[] = [];
  try {
    mount({ after: (step) => cleanups.push(step as () => void) }, 1);
    return true;
  } catch {
    return false;
  } finally {
    for (const step of cleanups.toReversed()) step();
  }
}

/** Mounts a file system of this size in memory. Needs `canMount`. */
export function smallDisk(cleanup: Cleanup, megabytes: number): SmallDisk {
  const folder = mount(cleanup, megabytes);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      try {
        for (;;) writeFileSync(filler, new Uint8Array(64 * 1024), { flag: 'a' });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler),
  };
}

function mount(cleanup: Pick<Cleanup, 'after'>, megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-disk-'));
  cleanup.after(() => rmdirSync(folder));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  // A lazy unmount succeeds while a file is still open.
  cleanup.after(() => execFileSync('umount', ['-l', folder]));
  return folder;
}
