import { rm } from 'node:fs/promises';
import type { RecordingFiles } from './recording-files.js';
import type { RecordingStore } from './recording-store.js';

/** Long, for an operator who restores an older database and then the newer one. */
const UNTOUCHED_MS = 7 * 24 * 3_600_000;
const AT_ONCE = 200;

/**
 * Removes what no recording needs: folders of recordings that another server deleted or has taken over, or whose account
 * is gone.
 */
export class RecordingSweep {
  readonly #files: RecordingFiles;
  readonly #store: Pick<RecordingStore, 'ofServer'>;

  constructor(files: RecordingFiles, store: Pick<RecordingStore, 'ofServer'>) {
    this.#files = files;
    this.#store = store;
  }

  /** @param time milliseconds since 1970 */
  async run(time: number, signal: AbortSignal): Promise<void> {
    const folders = await this.#files.foldersUntouchedSince(time - UNTOUCHED_MS);
    for (let at = 0; at < folders.length && !signal.aborted; at += AT_ONCE) {
      const some = folders.slice(at, at + AT_ONCE);
      const known = await this.#store.ofServer(
        this.#files.nodeId,
        some.map(({ id }) => id),
      );
      for (const { path, id } of some) if (!known.has(id)) await rm(path, { recursive: true, force: true });
    }
  }
}
