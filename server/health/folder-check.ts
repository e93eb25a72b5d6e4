import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, HealthCheck } from './health-checks.js';

/** Written and removed again and again: one that stays would be given its own space again on a full disk. */
const CHECK_FILE = 'health.check';
const BLOCK = Buffer.alloc(4_096);

export interface FolderCheckOptions {
  readonly component: string;
  readonly folder: string;
  /** See `HealthCheck`. */
  readonly onDatabaseDisk?: boolean | undefined;
  /** The disk is full. @returns undefined: somebody else reports it */
  readonly onFull: (error?: unknown) => Finding | undefined;
  /** Whether the disk counts as full before it is. */
  readonly isFull?: ((folder: string) => Promise<boolean>) | undefined;
}

/** Writes to the disk of a folder as when something is kept there: to new space, and synced. */
export function folderCheck({
  component,
  folder,
  onDatabaseDisk = false,
  onFull,
  isFull,
}: FolderCheckOptions): HealthCheck {
  const failed = (why: string): Finding => {
    return {
      level: 'problem',
      code: 'disk_failed',
      message: `Nothing can be written to the folder (${component}): ${why}`,
    };
  };
  return {
    component,
    onDatabaseDisk,
    stuck: failed('the disk does not answer'),
    async check() {
      try {
        await writeSynced(join(folder, CHECK_FILE));
        return (await isFull?.(folder)) ? onFull() : undefined;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        return code === 'ENOSPC' || code === 'EDQUOT' ? onFull(error) : failed(code);
      }
    },
  };
}

async function writeSynced(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.write(BLOCK);
    await file.sync();
  } finally {
    await file.close();
    await rm(path);
  }
}

/** Whether two folders are on one disk. False also if one cannot be looked at. */
export async function isOneDisk(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((folder) => stat(folder).catch(() => undefined)));
  return first !== undefined && first.dev === second?.dev;
}
