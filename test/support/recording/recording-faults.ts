import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Cleanup } from '../cleanup.js';
import { dataFolder } from '../data-folder.js';
import { s3Gate, type S3Gate } from '../s3-gate.js';
import { canMount, smallDisk } from '../small-disk.js';

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../faulty-disk.ts')).href;
const DISK_MEGABYTES = 60;

export type DiskFault = 'slow' | 'full' | 'read-only';

/** A disk and an S3 that fail as a test says. */
export interface Faults {
  readonly s3: S3Gate;
  /** Of a server that records there. */
  readonly environment: Record<string, string>;
  /** The folder of the recordings. */
  readonly folder: string;
  /** @returns repairs it */
  breakDisk(fault: DiskFault): () => void;
  close(): Promise<void>;
}

/** The disk is a small one in memory where this process may mount one; elsewhere, writes fail as they would there. */
export async function openFaults(): Promise<Faults> {
  const cleanup = new Cleanup();
  const s3 = await s3Gate(cleanup);
  const control = join(await dataFolder(cleanup), 'disk');
  const disk = canMount() ? smallDisk(cleanup, DISK_MEGABYTES) : undefined;
  const folder = join(disk?.folder ?? (await dataFolder(cleanup)), 'recordings');
  mkdirSync(folder);
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix } = s3.options;
  return {
    s3,
    folder,
    environment: {
      RECORDINGS_DIR: folder,
      RECORDINGS_S3_ENDPOINT: endpoint,
      RECORDINGS_S3_BUCKET: bucket,
      RECORDINGS_S3_REGION: region,
      RECORDINGS_S3_ACCESS_KEY_ID: accessKeyId,
      RECORDINGS_S3_SECRET_ACCESS_KEY: secretAccessKey,
      RECORDINGS_S3_PREFIX: prefix,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      FAULTY_DISK: control,
    },
    breakDisk(fault) {
      if (disk && fault === 'full') {
        disk.fill();
        return () => disk.empty();
      }
      if (disk && fault === 'read-only') {
        execFileSync('mount', ['--bind', '-o', 'ro', folder, folder], { stdio: 'ignore' });
        // Some versions of mount make a bind mount read-only only when it is mounted again.
        execFileSync('mount', ['-o', 'remount,bind,ro', folder], { stdio: 'ignore' });
        return () => execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      }
      writeFileSync(control, fault);
      return () => rmSync(control);
    },
    close: () => cleanup.run(),
  };
}
