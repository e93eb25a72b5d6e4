import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where workers find each other, and nobody else finds them. */
export interface SocketDirectory {
  /** A new one for each process, so that nobody takes one for the one before it. */
  newPath(): string;
  remove(): Promise<void>;
}

export async function createSocketDirectory(): Promise<SocketDirectory> {
  const name = () => randomBytes(6).toString('hex');
  if (process.platform === 'win32') {
    // Named pipes are in no folder that could be closed to others: the name is what nobody else has.
    const prefix = `\\\\.\\pipe\\streamgate-${randomBytes(16).toString('hex')}`;
    return { newPath: () => `${prefix}-${name()}`, remove: async () => {} };
  }
  // Made with mode 0700. The path of a socket has to be short: 104 bytes on macOS.
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-'));
  return { newPath: () => join(folder, name()), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** For a process whose server was killed, and removes nothing any more. @param path of one of the processes */
export async function removeSocketDirectoryOf(path: string): Promise<void> {
  if (process.platform !== 'win32') await rm(dirname(path), { recursive: true, force: true });
}
