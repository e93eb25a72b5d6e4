import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { isMissing } from './file-fault.js';
import type { ByteRange, RecordingStorage } from './recording-storage.js';

/** Files in a folder of this machine. */
export class FolderStorage implements RecordingStorage {
  readonly #root: string;

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** @throws {Error} the key would leave the folder */
  pathOf(key: string): string {
    const path = join(this.#root, key);
    const inside = relative(this.#root, path);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || key.includes('\0')) {
      throw new Error('the key of a recording leads out of its folder');
    }
    return path;
  }

  async put(key: string, file: string): Promise<void> {
    const path = this.pathOf(key);
    if (path === resolve(file)) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.part`;
    await copyFile(file, unfinished);
    await rename(unfinished, path);
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(key))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async read(key: string, { from, to }: ByteRange): Promise<Readable> {
    const path = this.pathOf(key);
    // Here, so that the caller learns it before anything is sent.
    await stat(path);
    return createReadStream(path, { start: from, end: to });
  }

  async downloadUrl(): Promise<undefined> {
    return undefined;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(this.pathOf(key), { force: true });
  }

  /** With everything in it. */
  async removeFolder(key: string): Promise<void> {
    await rm(this.pathOf(key), { recursive: true, force: true });
  }
}
