import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The directory of the sockets between workers. Other users cannot open it. */
export interface SocketDirectory {
  /** Undefined: the sockets are in no folder. */
  readonly folder: string | undefined;
  /** A new path for each process, so that no worker connects to a dead process's socket. */
  newPath(): string;
  remove(): Promise<void>;
}

export async function createSocketDirectory(): Promise<SocketDirectory> {
  const name = () => randomBytes(6).toString('hex');
  if (process.platform === 'win32') {
    // Named pipes are in no directory with permissions, so the name is secret.
    const prefix = `\\\\.\\pipe\\streamgate-${randomBytes(16).toString('hex')}`;
    return { folder: undefined, newPath: () => `${prefix}-${name()}`, remove: async () => {} };
  }
  // mkdtemp uses mode 0700. A socket's path is limited to 104 bytes on macOS, so the name is short.
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-'));
  return { folder, newPath: () => join(folder, name()), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** For a worker whose server was killed and cannot remove the directory. @param path of any worker */
export async function removeSocketDirectoryOf(path: string): Promise<void> {
  if (process.platform !== 'win32') await rm(dirname(path), { recursive: true, force: true });
}
